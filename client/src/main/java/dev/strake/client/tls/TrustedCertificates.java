package dev.strake.client.tls;

import dev.strake.client.MisconfiguredException;
import dev.strake.serdes.text.PlainFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Trust in the certificate authorities of a PEM file, and in no others. */
public final class TrustedCertificates {

    private TrustedCertificates() {}

    /**
     * Creates the TLS context of a client that trusts only the certificates in a PEM file.
     *
     * @throws MisconfiguredException if the file contains no certificates, or an invalid one
     * @throws UncheckedIOException if the file cannot be read
     */
    public static SSLContext context(Path file) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            byte[] pem = Files.readAllBytes(PlainFile.of(file));
            context.init(null, trusting(certificates(pem)).getTrustManagers(), null);
            return context;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (CertificateException e) {
            throw new MisconfiguredException(
                    "The file " + file + " cannot be used: it has to hold certificates as PEM, which begin with "
                            + "-----BEGIN CERTIFICATE-----.",
                    e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has TLS", e);
        }
    }

    /**
     * Parses the certificates of a PEM file, in their order.
     *
     * @throws CertificateException if there is none, or one is invalid
     */
    public static List<X509Certificate> certificates(byte[] pem) throws CertificateException {
        List<X509Certificate> found = new ArrayList<>();
        for (PemBlock block : PemBlock.of(pem)) {
            if (block.label().equals("CERTIFICATE")) {
                found.add((X509Certificate) CertificateFactory.getInstance("X.509")
                        .generateCertificate(new ByteArrayInputStream(block.content())));
            }
        }
        if (found.isEmpty()) {
            throw new CertificateException("no certificate");
        }
        return found;
    }

    /** Creates the trust managers of connections that trust only these authorities. */
    public static TrustManagerFactory trusting(List<? extends Certificate> authorities)
            throws GeneralSecurityException {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            for (int i = 0; i < authorities.size(); i++) {
                store.setCertificateEntry("ca-" + i, authorities.get(i));
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
            factory.init(store);
            return factory;
        } catch (IOException e) {
            throw new IllegalStateException("an empty store is not read from anywhere", e);
        }
    }
}
