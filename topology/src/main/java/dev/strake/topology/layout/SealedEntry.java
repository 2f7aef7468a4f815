package dev.strake.topology.layout;

import dev.strake.engine.document.MissingKey;
import dev.strake.serdes.bytes.KeyWriter;
import dev.strake.serdes.bytes.UnreadableStoreException;
import dev.strake.serdes.bytes.ValueReader;
import dev.strake.serdes.bytes.ValueWriter;
import dev.strake.serdes.secret.DoesNotOpenException;
import dev.strake.serdes.secret.Purpose;
import dev.strake.serdes.secret.SecretKeyNotFoundException;
import dev.strake.serdes.secret.SecretKeys;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * An entry with hashes of secret data. A hash of a short password is as good as the password, so the entry is
 * encrypted. Beside the ciphertext is a copy that can be read without the key: the same entry with
 * {@linkplain dev.strake.engine.tree.Fingerprint#LOST lost} hashes. So a workspace can be opened without its keys.
 *
 * <pre>
 * value   100  sealed: bytes  without hashes: bytes
 *
 * sealed            the value of the entry, in the layout of its store, encrypted with the key that is never replaced
 * without hashes    a value in the same layout
 * </pre>
 *
 * The associated data of every ciphertext in a store, as in {@link DocumentsLayout} and {@link ChangesLayout}, is its
 * place:
 *
 * <pre>
 * place   name of the store: text  key of the entry, with the workspace
 * </pre>
 */
public final class SealedEntry {

    private static final int FORMAT = 100;

    /**
     * The content of an entry.
     *
     * @param value in the layout of its store
     * @param missing the missing key without which the hashes are lost; null if they are known
     */
    @SuppressWarnings("ArrayRecordComponent") // not compared
    public record Opened(byte[] value, MissingKey missing) {}

    private SealedEntry() {}

    /** Whether the value of an entry is sealed. */
    public static boolean isSealed(byte[] value) {
        return value.length > 0 && value[0] == FORMAT;
    }

    /**
     * Seals an entry, if there are keys.
     *
     * @param value the value in the layout of its store
     * @param withoutHashes the same value without secret parts
     */
    public static byte[] write(
            SecretKeys keys, String store, byte[] key, byte[] value, Supplier<byte[]> withoutHashes) {
        return keys.areThere() ? sealed(keys, store, key, value, withoutHashes.get()) : value;
    }

    private static byte[] sealed(SecretKeys keys, String store, byte[] key, byte[] value, byte[] withoutHashes) {
        return new ValueWriter(FORMAT, value.length + withoutHashes.length + 64)
                .bytes(keys.seal(Purpose.HASHES, value, place(store, key)))
                .bytes(withoutHashes)
                .bytes();
    }

    /** Opens an entry that may be sealed. */
    public static Opened open(SecretKeys keys, String store, byte[] key, byte[] value) {
        if (!isSealed(value)) {
            return new Opened(value, null);
        }
        return ValueReader.read(store, key, value, FORMAT, reader -> {
            byte[] sealed = reader.bytes();
            byte[] withoutHashes = reader.bytes();
            try {
                return new Opened(keys.open(Purpose.HASHES, sealed, place(store, key)), null);
            } catch (SecretKeyNotFoundException e) {
                return new Opened(withoutHashes, new MissingKey(e.key()));
            } catch (DoesNotOpenException e) {
                throw damaged(store, key, e);
            }
        });
    }

    /** Returns the associated data of a ciphertext, which can be decrypted only at its place. */
    public static byte[] place(String store, byte[] key) {
        byte[] name = new KeyWriter().text(store).bytes();
        byte[] place = Arrays.copyOf(name, name.length + key.length);
        System.arraycopy(key, 0, place, name.length, key.length);
        return place;
    }

    static UnreadableStoreException damaged(String store, byte[] key, DoesNotOpenException e) {
        return new UnreadableStoreException(store, key, "cannot be decrypted: " + e.getMessage(), e);
    }
}
