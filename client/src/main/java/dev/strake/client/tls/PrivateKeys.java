package dev.strake.client.tls;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;

/**
 * Reads private keys from PEM files. Java supports only PKCS #8; cert-manager, k3s and older programs write PKCS #1 and
 * SEC 1, where a key does not name its algorithm. This class adds the algorithm of the public key:
 *
 * <pre>
 *  PKCS #8      SEQUENCE { INTEGER 0, algorithm, OCTET STRING key }
 *  public key   SEQUENCE { algorithm, BIT STRING key }
 * </pre>
 */
public final class PrivateKeys {

    private static final int OCTETS = 0x04;
    private static final int SEQUENCE = 0x30;
    private static final byte[] VERSION = {0x02, 0x01, 0x00};

    /* A key store needs a password even in memory. */
    private static final char[] IN_MEMORY = "in memory".toCharArray();

    private PrivateKeys() {}

    /**
     * Reads the first private key of a file.
     *
     * @param of the public key that has to match
     * @throws UnusableFileException if the file has no usable private key, or the keys do not match
     */
    public static PrivateKey read(byte[] pem, PublicKey of) throws UnusableFileException {
        List<PemBlock> keys = PemBlock.of(pem).stream()
                .filter(block -> block.label().endsWith("PRIVATE KEY"))
                .toList();
        if (keys.isEmpty()) {
            throw new UnusableFileException(
                    "it has no private key as PEM, which begins with -----BEGIN PRIVATE KEY-----.");
        }
        PrivateKey key;
        try {
            key = KeyFactory.getInstance(of.getAlgorithm()).generatePrivate(pkcs8(keys.get(0), of));
        } catch (GeneralSecurityException | IOException | ArrayIndexOutOfBoundsException e) {
            // Without the cause, so that the message repeats nothing of a key.
            throw new UnusableFileException(
                    "its private key cannot be read, or is none for a certificate with a key of " + of.getAlgorithm()
                            + ".");
        }
        check(key, of);
        return key;
    }

    private static void check(PrivateKey key, PublicKey of) throws UnusableFileException {
        String algorithm = switch (of.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> of.getAlgorithm();
        };
        try {
            Signature signing = Signature.getInstance(algorithm);
            signing.initSign(key);
            signing.update(VERSION);
            byte[] signature = signing.sign();
            signing.initVerify(of);
            signing.update(VERSION);
            if (signing.verify(signature)) {
                return;
            }
        } catch (GeneralSecurityException e) {
            throw new UnusableFileException("its key cannot be used with the certificate.", e);
        }
        throw new UnusableFileException(
                "the private key is not that of the certificate. The certificate of the service has to come first in its file.");
    }

    private static PKCS8EncodedKeySpec pkcs8(PemBlock block, PublicKey of)
            throws GeneralSecurityException, IOException, UnusableFileException {
        byte[] key = block.content();
        return switch (block.label()) {
            case "PRIVATE KEY" -> new PKCS8EncodedKeySpec(key);
            case "RSA PRIVATE KEY", "EC PRIVATE KEY" -> wrapped(algorithm(of), key);
            case "ENCRYPTED PRIVATE KEY" ->
                throw new UnusableFileException("its private key is encrypted: remove the password.");
            default -> throw new GeneralSecurityException("no key that is known");
        };
    }

    private static PKCS8EncodedKeySpec wrapped(byte[] algorithm, byte[] key) throws IOException {
        return new PKCS8EncodedKeySpec(tagged(SEQUENCE, joined(VERSION, algorithm, tagged(OCTETS, key))));
    }

    /* The first element of the sequence. Its length is encoded in one byte. */
    private static byte[] algorithm(PublicKey key) {
        byte[] der = key.getEncoded();
        int at = der[1] < 0 ? 2 + (der[1] & 0x7F) : 2;
        return Arrays.copyOfRange(der, at, at + 2 + der[at + 1]);
    }

    private static byte[] tagged(int tag, byte[] content) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        if (content.length < 0x80) {
            out.write(content.length);
        } else {
            byte[] length = BigInteger.valueOf(content.length).toByteArray();
            int zero = length[0] == 0 ? 1 : 0;
            out.write(0x80 + length.length - zero);
            out.write(length, zero, length.length - zero);
        }
        out.write(content);
        return out.toByteArray();
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    /** Creates key managers that present the chain and prove it with the key. */
    public static KeyManager[] managers(List<X509Certificate> chain, PrivateKey key)
            throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("own", key, IN_MEMORY, chain.toArray(X509Certificate[]::new));
        KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
        factory.init(store, IN_MEMORY);
        return factory.getKeyManagers();
    }
}
