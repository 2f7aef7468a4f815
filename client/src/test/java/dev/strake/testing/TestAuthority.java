package dev.strake.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** A certificate authority for a test, which issues certificates of all kinds. */
public final class TestAuthority {

    private static final SecureRandom RANDOM = new SecureRandom();

    private final KeyPair keys;
    private final X509Certificate certificate;

    private TestAuthority(KeyPair keys, X509Certificate certificate) {
        this.keys = keys;
        this.certificate = certificate;
    }

    /** Creates a new authority. */
    public static TestAuthority create() {
        KeyPair keys = keyPair("EC");
        X500Name name = new X500Name("CN=authority of a test");
        X509v3CertificateBuilder builder =
                builder(name, name, keys, Instant.now().minusSeconds(60), Duration.ofDays(2));
        try {
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
        } catch (CertIOException e) {
            throw new IllegalStateException(e);
        }
        return new TestAuthority(keys, signed(builder, keys));
    }

    /** A key and its certificate, in several file formats. */
    public record Issued(KeyPair keys, X509Certificate certificate) {

        /** Returns the certificate as PEM. */
        public String pem() {
            return TestAuthority.pem("CERTIFICATE", encoded(certificate));
        }

        /** Returns the key as PEM, PKCS #8. */
        public String key() {
            return TestAuthority.pem("PRIVATE KEY", keys.getPrivate().getEncoded());
        }

        /** Returns both as PKCS #12. */
        public byte[] pkcs12(String password) {
            try {
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                store(this, password).store(out, password.toCharArray());
                return out.toByteArray();
            } catch (GeneralSecurityException | IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** The properties of a requested certificate; created by {@link #ask}. */
    public record Wish(List<String> names, String algorithm, Instant from, Duration valid, boolean forClients) {

        public Wish algorithm(String other) {
            return new Wish(names, other, from, valid, forClients);
        }

        public Wish expired() {
            return new Wish(names, algorithm, Instant.now().minus(Duration.ofDays(2)), Duration.ofDays(1), forClients);
        }

        public Wish notYetValid() {
            return new Wish(names, algorithm, Instant.now().plus(Duration.ofDays(1)), Duration.ofDays(1), forClients);
        }

        public Wish forServersAlone() {
            return new Wish(names, algorithm, from, valid, false);
        }
    }

    /** Requests a certificate for names and addresses. */
    public static Wish ask(String... names) {
        return new Wish(List.of(names), "EC", Instant.now().minusSeconds(60), Duration.ofDays(1), true);
    }

    public Issued issue(Wish wish) {
        KeyPair own = keyPair(wish.algorithm());
        X509v3CertificateBuilder builder = builder(
                new X500Name("CN=authority of a test"),
                new X500Name("CN=" + wish.names().get(0)),
                own,
                wish.from(),
                wish.valid());
        try {
            builder.addExtension(
                    Extension.subjectAlternativeName,
                    false,
                    new GeneralNames(wish.names().stream()
                            .map(name -> new GeneralName(
                                    name.matches("[0-9.]+") ? GeneralName.iPAddress : GeneralName.dNSName, name))
                            .toArray(GeneralName[]::new)));
            builder.addExtension(
                    Extension.extendedKeyUsage,
                    false,
                    new ExtendedKeyUsage(
                            wish.forClients()
                                    ? new KeyPurposeId[] {KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth}
                                    : new KeyPurposeId[] {KeyPurposeId.id_kp_serverAuth}));
        } catch (CertIOException e) {
            throw new IllegalStateException(e);
        }
        return new Issued(own, signed(builder, keys));
    }

    /** The authority's certificate as PEM. */
    public String pem() {
        return pem("CERTIFICATE", encoded(certificate));
    }

    /** Writes the authority's certificate to a file. */
    public Path file(Path directory) throws IOException {
        return Files.writeString(directory.resolve("ca-" + certificate.getSerialNumber() + ".pem"), pem());
    }

    /** Returns the context of a client that trusts this authority only, with the client's certificates. */
    public SSLContext client(Issued... own) {
        try {
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            trusted.setCertificateEntry("ca", certificate);
            TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
            trust.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(
                    Stream.of(own).flatMap(TestAuthority::managers).toArray(KeyManager[]::new),
                    trust.getTrustManagers(),
                    null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Stream<KeyManager> managers(Issued own) {
        try {
            KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
            factory.init(store(own, "password"), "password".toCharArray());
            return Stream.of(factory.getKeyManagers());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static KeyStore store(Issued own, String password) {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry(
                    "own", own.keys().getPrivate(), password.toCharArray(), new X509Certificate[] {own.certificate()});
            return store;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static X509v3CertificateBuilder builder(
            X500Name issuer, X500Name subject, KeyPair keys, Instant from, Duration valid) {
        return new JcaX509v3CertificateBuilder(
                issuer,
                new BigInteger(63, RANDOM),
                Date.from(from),
                Date.from(from.plus(valid)),
                subject,
                keys.getPublic());
    }

    private static X509Certificate signed(X509v3CertificateBuilder builder, KeyPair by) {
        try {
            return new JcaX509CertificateConverter()
                    .getCertificate(
                            builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(by.getPrivate())));
        } catch (OperatorCreationException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static KeyPair keyPair(String algorithm) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
            if (algorithm.equals("EC")) {
                generator.initialize(256);
            } else if (algorithm.equals("RSA")) {
                generator.initialize(2_048);
            }
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] encoded(X509Certificate certificate) {
        try {
            return certificate.getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    public static String pem(String label, byte[] der) {
        return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
                .formatted(
                        label,
                        Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                                .encodeToString(der),
                        label);
    }
}
