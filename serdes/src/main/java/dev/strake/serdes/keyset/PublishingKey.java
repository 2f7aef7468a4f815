package dev.strake.serdes.keyset;

import com.google.crypto.tink.HybridEncrypt;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.RegistryConfiguration;
import com.google.crypto.tink.TinkJsonProtoKeysetFormat;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Value;
import java.security.GeneralSecurityException;

/**
 * The public key with which publishers encrypt. Only the service has the private key and can decrypt.
 *
 * <pre>
 *  {"strake-publishing-key": 1, "keys": …}      a file of it; the keys are a public keyset in Tink's JSON
 * </pre>
 */
public final class PublishingKey {

    private static final String FORMAT = "strake-publishing-key";
    private static final String KEYS = "keys";

    private final KeysetHandle handle;
    private final HybridEncrypt encryption;

    PublishingKey(KeysetHandle handle) throws GeneralSecurityException {
        this.handle = handle;
        this.encryption = handle.getPrimitive(RegistryConfiguration.get(), HybridEncrypt.class);
    }

    /**
     * Parses the content of a public key file.
     *
     * @throws UnusableKeysetException if the content is not a public key for publishers
     */
    public static PublishingKey read(byte[] file) throws UnusableKeysetException {
        Keyset.ready();
        MapValue content = KeysetFile.content(file, FORMAT, "write one with 'strake keys public'");
        try {
            return new PublishingKey(TinkJsonProtoKeysetFormat.parseKeysetWithoutSecret(
                    KeysetFile.text(content, KEYS), RegistryConfiguration.get()));
        } catch (GeneralSecurityException e) {
            throw new UnusableKeysetException("its public keys cannot be parsed.", e);
        }
    }

    public byte[] file() {
        try {
            Value keys = JsonReader.read(
                    TinkJsonProtoKeysetFormat.serializeKeysetWithoutSecret(handle, RegistryConfiguration.get()));
            return KeysetFile.lines(
                    MapValue.builder().put(FORMAT, Num.of(1)).put(KEYS, keys).build());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("public keys cannot be written", e);
        }
    }

    /**
     * Encrypts for the service.
     *
     * @param document the associated data that identifies the document; decryption fails for any other document
     */
    public byte[] seal(byte[] clear, byte[] document) {
        try {
            return encryption.encrypt(clear, document);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("cannot be encrypted", e);
        }
    }
}
