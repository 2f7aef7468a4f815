package dev.strake.serdes.bytes;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes the key of a store entry, component by component.
 *
 * <pre>
 * kind ┌────────┐     text ┌────────────┬──────────────┐     number ┌────────────┐
 *      │ 1 byte │          │ 4 bytes    │ UTF-8        │            │ 8 bytes    │
 *      └────────┘          │ length, BE │              │            │ BE, ≥ 0    │
 *                          └────────────┴──────────────┘            └────────────┘
 * </pre>
 *
 * <p>The length comes before the bytes of a text, so the bytes of leading components are an exact prefix: no name can
 * look like the beginning of another, and nothing needs escaping. Texts therefore sort by length first. Numbers are
 * never negative. RocksDB compares bytes without sign, so numbers sort in numerical order, and "the last one at or
 * below N" is a single seek.
 */
public final class KeyWriter {

    private byte[] buffer = new byte[128];
    private int length;

    /** Starts the key of an entry of a workspace, in a store with several kinds of entries. */
    public static KeyWriter of(int kind, String workspace) {
        return new KeyWriter().kind(kind).text(workspace);
    }

    /** Adds a kind, one byte from 0 to 127, in a store with several kinds of entries. */
    public KeyWriter kind(int kind) {
        if (kind < 0 || kind > 127) {
            throw new IllegalArgumentException("a kind has to be between 0 and 127: " + kind);
        }
        ensure(1);
        buffer[length++] = (byte) kind;
        return this;
    }

    public KeyWriter text(String text) {
        byte[] utf8 = utf8(text);
        ensure(4 + utf8.length);
        ByteBuffer.wrap(buffer, length, 4).putInt(utf8.length);
        System.arraycopy(utf8, 0, buffer, length + 4, utf8.length);
        length += 4 + utf8.length;
        return this;
    }

    /** Adds the identity of a document. */
    public KeyWriter id(DocumentId id) {
        return text(id.schema()).text(id.layer()).text(id.name());
    }

    /** Adds the schema and the name of a document. */
    public KeyWriter key(DocumentKey key) {
        return text(key.schema()).text(key.name());
    }

    /**
     * Adds a number.
     *
     * @throws IllegalArgumentException if the number is negative
     */
    public KeyWriter number(long number) {
        if (number < 0) {
            throw new IllegalArgumentException("a number in a key cannot be negative: " + number);
        }
        ensure(8);
        ByteBuffer.wrap(buffer, length, 8).putLong(number);
        length += 8;
        return this;
    }

    /** The bytes written so far, which are also the prefix of all keys that start with these components. */
    public byte[] bytes() {
        return Arrays.copyOf(buffer, length);
    }

    private void ensure(int more) {
        if (length + more > buffer.length) {
            buffer = Arrays.copyOf(buffer, Math.max(length + more, buffer.length * 2));
        }
    }

    /** Encodes strictly. With replacement characters, two different texts could have the same bytes. */
    static byte[] utf8(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                boolean pair = Character.isSupplementaryCodePoint(text.codePointAt(i));
                if (!pair) {
                    throw new IllegalArgumentException("UTF-8 cannot encode half a surrogate pair");
                }
                i++;
            }
        }
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
