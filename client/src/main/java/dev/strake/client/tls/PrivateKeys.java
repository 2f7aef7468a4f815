package dev.strake.client.tls;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * Reads private keys of PEM files. Java takes PKCS #8 alone; cert-manager, k3s and older programs write the forms before it, so
 * these are put into that one:
 *
 * <pre>
 *  PKCS #8   SEQUENCE { INTEGER 0, SEQUENCE { OID of the algorithm, parameters }, OCTET STRING key }
 *  PKCS #1   RSA PRIVATE KEY    the key alone, parameters are NULL             (RFC 8017, A.1.2)
 *  SEC 1     EC PRIVATE KEY     the key alone, parameters are its curve, [0]   (RFC 5915)
 * </pre>
 */
public final class PrivateKeys {

    private static final int INTEGER = 0x02;
    private static final int OCTETS = 0x04;
    private static final int SEQUENCE = 0x30;
    private static final int PARAMETERS = 0xA0;
    private static final byte[] VERSION = {0x02, 0x01, 0x00};

    /** 1.2.840.113549.1.1.1, and NULL. */
    private static final byte[] RSA = bytes("06092a864886f70d0101010500");

    /** 1.2.840.10045.2.1. */
    private static final byte[] EC = bytes("06072a8648ce3d0201");

    private PrivateKeys() {}

    /**
     * The first key of a file.
     *
     * @param of whose key it has to be
     * @throws UnusableKeyException if there is none, or it is another one's
     */
    public static PrivateKey read(byte[] pem, Optional<char[]> password, PublicKey of) throws UnusableKeyException {
        List<PemBlock> keys = PemBlock.of(pem).stream()
                .filter(block -> block.label().endsWith("PRIVATE KEY"))
                .toList();
        if (keys.isEmpty()) {
            throw new UnusableKeyException(
                    "it has no private key as PEM, which begins with -----BEGIN PRIVATE KEY-----.");
        }
        PrivateKey key;
        try {
            key = KeyFactory.getInstance(of.getAlgorithm()).generatePrivate(pkcs8(keys.get(0), password));
        } catch (GeneralSecurityException | IOException | ArrayIndexOutOfBoundsException e) {
            // Not the cause's message: nothing of a key is repeated.
            throw new UnusableKeyException("its private key cannot be read, or is none for a certificate with a key of "
                    + of.getAlgorithm() + ". If it is encrypted, its password has to be right.");
        }
        check(key, of);
        return key;
    }

    /**
     * Looks whether a key is the one of a certificate.
     *
     * @throws UnusableKeyException if it is not
     */
    public static void check(PrivateKey key, PublicKey of) throws UnusableKeyException {
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
            throw new UnusableKeyException("its key cannot be used with the certificate.", e);
        }
        throw new UnusableKeyException(
                "the private key is not that of the certificate. The certificate of the service has to come first in its file.");
    }

    private static PKCS8EncodedKeySpec pkcs8(PemBlock block, Optional<char[]> password)
            throws GeneralSecurityException, IOException, UnusableKeyException {
        byte[] key = block.content();
        return switch (block.label()) {
            case "PRIVATE KEY" -> new PKCS8EncodedKeySpec(key);
            case "RSA PRIVATE KEY" -> wrapped(RSA, key);
            case "EC PRIVATE KEY" -> wrapped(joined(EC, curve(key)), key);
            case "ENCRYPTED PRIVATE KEY" -> decrypted(key, password);
            default -> throw new GeneralSecurityException("no key that is known");
        };
    }

    private static PKCS8EncodedKeySpec decrypted(byte[] key, Optional<char[]> password)
            throws GeneralSecurityException, IOException, UnusableKeyException {
        if (password.isEmpty()) {
            throw UnusableKeyException.locked();
        }
        EncryptedPrivateKeyInfo info = new EncryptedPrivateKeyInfo(key);
        // PBES2 is named by its parameters, older schemes by themselves.
        String name = info.getAlgParameters() == null
                ? info.getAlgName()
                : info.getAlgParameters().toString();
        Cipher cipher = Cipher.getInstance(name);
        cipher.init(
                Cipher.DECRYPT_MODE,
                SecretKeyFactory.getInstance(name).generateSecret(new PBEKeySpec(password.get())),
                info.getAlgParameters());
        return info.getKeySpec(cipher);
    }

    private static PKCS8EncodedKeySpec wrapped(byte[] algorithm, byte[] key) throws IOException {
        return new PKCS8EncodedKeySpec(
                tagged(SEQUENCE, joined(VERSION, tagged(SEQUENCE, algorithm), tagged(OCTETS, key))));
    }

    /* SEQUENCE { INTEGER 1, OCTET STRING, [0] { OID of the curve }, … }. Ends beyond the array if it is something else. */
    private static byte[] curve(byte[] sec1) throws GeneralSecurityException {
        int[] all = element(sec1, 0, SEQUENCE);
        int[] version = element(sec1, all[0], INTEGER);
        int[] secret = element(sec1, version[1], OCTETS);
        int[] parameters = element(sec1, secret[1], PARAMETERS);
        return Arrays.copyOfRange(sec1, parameters[0], parameters[1]);
    }

    /* Where the content of an element begins, and where it ends. */
    private static int[] element(byte[] der, int at, int tag) throws GeneralSecurityException {
        if ((der[at] & 0xFF) != tag) {
            throw new GeneralSecurityException("not the element that was expected");
        }
        int length = der[at + 1] & 0xFF;
        int begin = at + 2;
        if (length > 0x80) {
            int bytes = length - 0x80;
            length = new BigInteger(1, Arrays.copyOfRange(der, begin, begin + Math.min(bytes, 3))).intValue();
            begin += bytes;
        }
        if (begin + length > der.length) {
            throw new GeneralSecurityException("longer than its file");
        }
        return new int[] {begin, begin + length};
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

    private static byte[] bytes(String hexadecimal) {
        return java.util.HexFormat.of().parseHex(hexadecimal);
    }
}
