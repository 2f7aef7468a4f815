package dev.strake.topology.layout;

import dev.strake.serdes.bytes.KeyReader;
import dev.strake.serdes.bytes.KeyWriter;
import dev.strake.serdes.bytes.ValueReader;
import dev.strake.serdes.bytes.ValueWriter;

/**
 * The entries that record which keys a task's stores need, in the store of revisions.
 *
 * <pre>
 * in use     key     4  id of a key
 *            value   1  whether it is the key of hashes: flag
 * sealed     key     5
 *            value   1  id of the key that everything is encrypted with: number
 * </pre>
 *
 * A key is in use as long as anything in the stores may be encrypted with it. If all keys in use are present, nothing
 * needs to be searched for undecryptable entries. "Sealed" is absent until everything in the stores is encrypted.
 */
public final class KeysLayout {

    private static final int IN_USE = 4;
    private static final int SEALED = 5;

    private KeysLayout() {}

    public static byte[] inUseKey(int id) {
        return new KeyWriter().kind(IN_USE).number(Integer.toUnsignedLong(id)).bytes();
    }

    public static byte[] inUsePrefix() {
        return new KeyWriter().kind(IN_USE).bytes();
    }

    public static int inUse(byte[] key) {
        KeyReader reader = new KeyReader(key);
        reader.kind();
        return (int) reader.number();
    }

    /**
     * Writes the entry of a key that is in use.
     *
     * @param ofHashes whether it is the key of hashes, which is never replaced
     */
    public static byte[] writeInUse(boolean ofHashes) {
        return new ValueWriter(1).flag(ofHashes).bytes();
    }

    /** Whether a key that is in use is the key of hashes. */
    public static boolean isOfHashes(byte[] key, byte[] value) {
        return ValueReader.read(RevisionsLayout.STORE, key, value, 1, ValueReader::flag);
    }

    /** Returns the key of the entry that names the key with which everything is encrypted. */
    public static byte[] sealedKey() {
        return new KeyWriter().kind(SEALED).bytes();
    }

    public static byte[] writeSealed(int id) {
        return new ValueWriter(1).number(Integer.toUnsignedLong(id)).bytes();
    }

    public static int readSealed(byte[] value) {
        return ValueReader.read(RevisionsLayout.STORE, sealedKey(), value, 1, reader -> (int) reader.number());
    }
}
