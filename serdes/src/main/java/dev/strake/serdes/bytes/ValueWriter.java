package dev.strake.serdes.bytes;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.Value;
import java.util.Arrays;
import java.util.Collection;
import java.util.function.BiConsumer;

/**
 * Writes the value of a store entry. The first byte is the format, 1 until a release changes the layout of an entry.
 *
 * <pre>
 * format        1 byte, 1 to 127
 * number        7 bits a byte, low ones first, high bit set if more follow; negative ones take 10 bytes
 * flag          1 byte, 0 or 1
 * bytes         number (length), then the bytes
 * text          bytes, in UTF-8
 * optional text number (0 for none, else length + 1), then UTF-8
 * fingerprint   16 bytes, high half first, big-endian
 * value         bytes, compact JSON
 * list          number (count), then the items
 * </pre>
 */
public final class ValueWriter {

    private byte[] buffer;
    private int length;

    /** Starts a value of a format between 1 and 127. */
    public ValueWriter(int format) {
        this(format, 128);
    }

    /** Starts a value; {@code size} is an estimate of its length in bytes. */
    public ValueWriter(int format, int size) {
        if (format < 1 || format > 127) {
            throw new IllegalArgumentException("a format has to be between 1 and 127: " + format);
        }
        buffer = new byte[Math.max(size, 16)];
        buffer[length++] = (byte) format;
    }

    public ValueWriter number(long number) {
        ensure(10);
        long rest = number;
        while ((rest & ~0x7FL) != 0) {
            buffer[length++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        buffer[length++] = (byte) rest;
        return this;
    }

    public ValueWriter flag(boolean flag) {
        ensure(1);
        buffer[length++] = (byte) (flag ? 1 : 0);
        return this;
    }

    public ValueWriter bytes(byte[] bytes) {
        return number(bytes.length).raw(bytes);
    }

    public ValueWriter text(String text) {
        return bytes(KeyWriter.utf8(text));
    }

    /** A text or null. */
    public ValueWriter optionalText(String text) {
        if (text == null) {
            return number(0);
        }
        byte[] utf8 = KeyWriter.utf8(text);
        return number(utf8.length + 1L).raw(utf8);
    }

    /** Adds the identity of a document: three texts. */
    public ValueWriter id(DocumentId id) {
        return text(id.schema()).text(id.layer()).text(id.name());
    }

    /** Adds the schema and the name of a document: two texts. */
    public ValueWriter key(DocumentKey key) {
        return text(key.schema()).text(key.name());
    }

    public ValueWriter fingerprint(Fingerprint fingerprint) {
        return fixed(fingerprint.high()).fixed(fingerprint.low());
    }

    public ValueWriter value(Value value) {
        int size = Math.toIntExact(value.weight());
        number(size);
        ensure(size);
        JsonBytes.write(value, buffer, length);
        length += size;
        return this;
    }

    public <T> ValueWriter list(Collection<T> items, BiConsumer<ValueWriter, ? super T> item) {
        number(items.size());
        for (T each : items) {
            item.accept(this, each);
        }
        return this;
    }

    /** The complete value. */
    public byte[] bytes() {
        return Arrays.copyOf(buffer, length);
    }

    private ValueWriter fixed(long number) {
        ensure(8);
        for (int shift = 56; shift >= 0; shift -= 8) {
            buffer[length++] = (byte) (number >>> shift);
        }
        return this;
    }

    private ValueWriter raw(byte[] bytes) {
        ensure(bytes.length);
        System.arraycopy(bytes, 0, buffer, length, bytes.length);
        length += bytes.length;
        return this;
    }

    private void ensure(int more) {
        if (length + more > buffer.length) {
            buffer = Arrays.copyOf(buffer, Math.max(Math.addExact(length, more), buffer.length * 2));
        }
    }
}
