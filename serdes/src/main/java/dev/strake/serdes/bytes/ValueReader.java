package dev.strake.serdes.bytes;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Reads the value of a store entry in the order in which {@link ValueWriter} wrote it. Bytes that do not fit the layout
 * cause an {@link UnreadableStoreException} with store and key: the entry is damaged, or of a newer program.
 */
public final class ValueReader {

    private static final byte[] EMPTY_MAP = JsonBytes.of(MapValue.EMPTY);

    private final String store;
    private final byte[] key;
    private final byte[] bytes;
    private int position;

    /**
     * @param store name of the store, for messages
     * @param key key of the entry, for messages
     * @param format the expected format of the value
     */
    public ValueReader(String store, byte[] key, byte[] bytes, int format) {
        this.store = store;
        this.key = key;
        this.bytes = bytes;
        int found = next();
        if (found != format) {
            throw new UnreadableStoreException(
                    store, key, "has format " + found + ", but this version reads format " + format);
        }
    }

    /**
     * Reads a whole value. Values that can be decoded but are invalid count as unreadable, too.
     *
     * @param layout reads all components in their order
     * @throws UnreadableStoreException if the bytes do not follow the layout
     */
    public static <T> T read(String store, byte[] key, byte[] bytes, int format, Function<ValueReader, T> layout) {
        ValueReader reader = new ValueReader(store, key, bytes, format);
        try {
            T content = layout.apply(reader);
            if (reader.atEnd()) {
                return content;
            }
        } catch (UnreadableStoreException e) {
            throw e;
        } catch (RuntimeException e) { // damaged bytes cause exceptions of many types
            throw new UnreadableStoreException(store, key, "cannot be parsed", e);
        }
        throw reader.broken();
    }

    public long number() {
        long number = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            int b = next();
            number |= (long) (b & 0x7F) << shift;
            if (b < 0x80) {
                return number;
            }
        }
        throw broken();
    }

    /** Reads a number that has to fit into an int. */
    public int smallNumber() {
        long number = number();
        if (number != (int) number) {
            throw broken();
        }
        return (int) number;
    }

    public boolean flag() {
        int b = next();
        if (b > 1) {
            throw broken();
        }
        return b == 1;
    }

    public byte[] bytes() {
        int size = size(number());
        byte[] part = Arrays.copyOfRange(bytes, position, position + size);
        position += size;
        return part;
    }

    public String text() {
        return text(size(number()));
    }

    /** Reads a text or null. */
    public String optionalText() {
        long size = number();
        return size == 0 ? null : text(size(size - 1));
    }

    public DocumentId id() {
        return new DocumentId(text(), text(), text());
    }

    public DocumentKey key() {
        return new DocumentKey(text(), text());
    }

    public Fingerprint fingerprint() {
        return new Fingerprint(fixed(), fixed());
    }

    public Value value() {
        return parsed(bytes());
    }

    /**
     * Reads a value that is likely to occur in other entries as well. Equal values are parsed only once.
     *
     * @param known earlier values, by their bytes as a text (one character for each byte)
     */
    public Value value(Map<String, Value> known) {
        byte[] json = bytes();
        return known.computeIfAbsent(new String(json, StandardCharsets.ISO_8859_1), absent -> parsed(json));
    }

    private Value parsed(byte[] json) {
        if (Arrays.equals(json, EMPTY_MAP)) {
            return MapValue.EMPTY; // most documents have empty labels or an empty selector
        }
        try {
            return JsonReader.read(json);
        } catch (IllegalArgumentException e) {
            throw new UnreadableStoreException(store, key, "has a value that is not JSON", e);
        }
    }

    public <T> List<T> list(Function<ValueReader, ? extends T> item) {
        int size = size(number()); // an item takes at least one byte
        List<T> items = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            items.add(item.apply(this));
        }
        return items;
    }

    public boolean atEnd() {
        return position == bytes.length;
    }

    private String text(int size) {
        String text = new String(bytes, position, size, StandardCharsets.UTF_8);
        position += size;
        return text;
    }

    private long fixed() {
        long number = 0;
        for (int i = 0; i < 8; i++) {
            number = number << 8 | next();
        }
        return number;
    }

    private int next() {
        if (position >= bytes.length) {
            throw broken();
        }
        return bytes[position++] & 0xFF;
    }

    private int size(long size) {
        if (size < 0 || size > bytes.length - position) {
            throw broken();
        }
        return (int) size;
    }

    private UnreadableStoreException broken() {
        return new UnreadableStoreException(store, key, "does not follow the layout of its format");
    }
}
