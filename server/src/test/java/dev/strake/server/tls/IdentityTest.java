package dev.strake.server.tls;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.strake.client.tls.UnusableFileException;
import dev.strake.testing.TestAuthority;
import dev.strake.testing.TestAuthority.Issued;
import java.time.Instant;
import java.util.Optional;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.openssl.PKCS8Generator;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.openssl.jcajce.JceOpenSSLPKCS8EncryptorBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IdentityTest {

    private static final TestAuthority AUTHORITY = TestAuthority.create();
    private static final Issued GOOD = AUTHORITY.issue(TestAuthority.ask("strake-0.strake", "127.0.0.1"));

    @ParameterizedTest
    @ValueSource(strings = {"EC", "RSA", "Ed25519"})
    void shouldReadACertificateAndItsKeyFromOneOrTwoFiles(String algorithm) throws Exception {
        Issued issued = AUTHORITY.issue(TestAuthority.ask("a").algorithm(algorithm));
        assertThat(read(issued.pem(), issued.key()).chain()).containsExactly(issued.certificate());
        assertThat(read(issued.key() + "text between\n" + issued.pem() + AUTHORITY.pem(), null)
                        .chain())
                .hasSize(2)
                .startsWith(issued.certificate());
    }

    @ParameterizedTest
    @CsvSource({"RSA, RSA PRIVATE KEY", "EC, EC PRIVATE KEY"})
    void shouldReadKeyFormatsOlderThanPkcs8(String algorithm, String label) throws Exception {
        Issued issued = AUTHORITY.issue(TestAuthority.ask("a").algorithm(algorithm));
        PrivateKeyInfo info =
                PrivateKeyInfo.getInstance(issued.keys().getPrivate().getEncoded());
        byte[] key = label.startsWith("RSA")
                ? info.parsePrivateKey().toASN1Primitive().getEncoded()
                : new org.bouncycastle.asn1.sec.ECPrivateKey(
                                256,
                                ((java.security.interfaces.ECPrivateKey)
                                                issued.keys().getPrivate())
                                        .getS(),
                                info.getPrivateKeyAlgorithm().getParameters())
                        .getEncoded();
        assertThat(read(issued.pem(), TestAuthority.pem(label, key)).chain()).containsExactly(issued.certificate());
    }

    @Test
    void shouldRefuseAKeyWithAPasswordAndAStore() throws Exception {
        PKCS8Generator encrypted = new JcaPKCS8Generator(
                GOOD.keys().getPrivate(),
                new JceOpenSSLPKCS8EncryptorBuilder(PKCS8Generator.AES_256_CBC)
                        .setProvider(new BouncyCastleProvider())
                        .setPassword("swordfish".toCharArray())
                        .build());
        String key =
                TestAuthority.pem("ENCRYPTED PRIVATE KEY", encrypted.generate().getContent());
        assertThatThrownBy(() -> read(GOOD.pem(), key))
                .isInstanceOf(UnusableFileException.class)
                .hasMessageContaining("encrypted");
        byte[] store = GOOD.pkcs12("swordfish");
        assertThatThrownBy(() -> read(store, null, null)).isInstanceOf(UnusableFileException.class);
    }

    @Test
    void shouldRefuseAKeyOfAnotherCertificate() {
        Issued other = AUTHORITY.issue(TestAuthority.ask("a"));
        Issued otherKind = AUTHORITY.issue(TestAuthority.ask("a").algorithm("RSA"));
        assertThatThrownBy(() -> read(GOOD.pem(), other.key()))
                .isInstanceOf(UnusableFileException.class)
                .hasMessageContaining("not that of the certificate");
        assertThatThrownBy(() -> read(GOOD.pem(), otherKind.key()))
                .isInstanceOf(UnusableFileException.class)
                .hasMessageContainingAll("strake.http.tls.key", "EC");
        assertThatThrownBy(() -> read(AUTHORITY.pem() + GOOD.pem(), GOOD.key()))
                .hasMessageContaining("has to come first");
        assertThatThrownBy(() -> read(GOOD.pem(), null))
                .hasMessageContainingAll("strake.http.tls.key is not set", "no private key");
        assertThatThrownBy(() -> read(GOOD.key(), null)).hasMessageContaining("BEGIN CERTIFICATE");
    }

    @Test
    void shouldRefuseBrokenFilesAndNotQuoteThem() {
        String key = GOOD.key();
        for (int cut = 30; cut < key.indexOf("-----END") - 8; cut += 7) {
            String broken = key.substring(0, cut) + "\n-----END PRIVATE KEY-----\n";
            assertThatThrownBy(() -> read(GOOD.pem(), broken))
                    .isInstanceOf(UnusableFileException.class)
                    .satisfies(failure -> assertThat(failure.toString()).doesNotContain(key.substring(28, 40)));
        }
        for (String label :
                new String[] {"RSA PRIVATE KEY", "EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "DSA PRIVATE KEY"}) {
            for (byte[] content : new byte[][] {{}, {0x30}, {0x30, 3, 2, 1}, {0x30, (byte) 0x84, -1, -1, -1, -1}}) {
                assertThatThrownBy(() -> read(GOOD.pem().getBytes(UTF_8), TestAuthority.pem(label, content), null))
                        .isInstanceOf(UnusableFileException.class);
            }
        }
        assertThatThrownBy(() -> read("", null)).isInstanceOf(UnusableFileException.class);
        assertThatThrownBy(() -> read(new byte[] {0x30, 1, 2}, null, null)).isInstanceOf(UnusableFileException.class);
    }

    @Test
    void shouldRefuseACertificateThatIsNotValidNow() {
        Issued expired = AUTHORITY.issue(TestAuthority.ask("a").expired());
        Issued early = AUTHORITY.issue(TestAuthority.ask("a").notYetValid());
        assertThatThrownBy(() -> read(expired.pem(), expired.key())).hasMessageContaining("has expired at 20");
        assertThatThrownBy(() -> read(early.pem(), early.key())).hasMessageContaining("is not valid before 20");
    }

    @Test
    void shouldReadTheAuthoritiesOfInstances() throws Exception {
        byte[] pem = GOOD.pem().getBytes(UTF_8);
        assertThat(read(pem, GOOD.key(), AUTHORITY.pem()).authorities()).hasSize(1);
        assertThatThrownBy(() -> read(pem, GOOD.key(), GOOD.key())).hasMessageContaining("strake.http.tls.ca");
    }

    private static Identity read(String certificate, String key) throws UnusableFileException {
        return read(certificate.getBytes(UTF_8), key, null);
    }

    private static Identity read(byte[] certificate, String key, String authorities) throws UnusableFileException {
        return Identity.read(
                certificate,
                Optional.ofNullable(key).map(text -> text.getBytes(UTF_8)),
                Optional.ofNullable(authorities).map(text -> text.getBytes(UTF_8)),
                Instant.now());
    }
}
