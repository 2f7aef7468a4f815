package dev.strake.engine.tree;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes values as compact JSON in UTF-8. Each value has exactly one text: no blanks, the shortest escapes, numbers as
 * the author wrote them, keys in the order of the map (or sorted, for hashing).
 *
 * <p>Only {@code "}, {@code \}, control characters and halves of surrogate pairs are escaped.
 */
public final class JsonBytes {

    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    /** How each ASCII character is escaped: 0 for not at all, 'u' by its number, otherwise by this letter. */
    private static final byte[] ESCAPES = new byte[0x80];

    static {
        Arrays.fill(ESCAPES, 0, 0x20, (byte) 'u');
        ESCAPES['\n'] = 'n';
        ESCAPES['\r'] = 'r';
        ESCAPES['\t'] = 't';
        ESCAPES['\b'] = 'b';
        ESCAPES['\f'] = 'f';
        ESCAPES['"'] = '"';
        ESCAPES['\\'] = '\\';
    }

    private final boolean sorted;
    private final byte[] buffer;
    private int length;

    private JsonBytes(boolean sorted, byte[] buffer, int length) {
        this.sorted = sorted;
        this.buffer = buffer;
        this.length = length;
    }

    /** The JSON text of a value with its keys in the order of its maps. */
    public static byte[] of(Value value) {
        return of(value, false);
    }

    /** {@link #of(Value)} as a text. */
    public static String text(Value value) {
        return new String(of(value), StandardCharsets.UTF_8);
    }

    /** The JSON text of a value with its keys sorted: the same bytes for equal values. */
    public static byte[] sorted(Value value) {
        return of(value, true);
    }

    /* The weight is the exact length in bytes, so the buffer is neither grown nor cut. */
    private static byte[] of(Value value, boolean sorted) {
        byte[] buffer = new byte[Math.toIntExact(value.weight())];
        write(value, sorted, buffer);
        return buffer;
    }

    /* Writes to the start of an array, which has to be large enough. */
    static void write(Value value, boolean sorted, byte[] into) {
        new JsonBytes(sorted, into, 0).write(value);
    }

    /**
     * Writes the JSON text of a value into a longer array, from a position. The text takes as many bytes as the weight
     * of the value.
     */
    public static void write(Value value, byte[] into, int at) {
        new JsonBytes(false, into, at).write(value);
    }

    private void write(Value value) {
        if (value instanceof MapValue map) {
            writeMap(map);
        } else if (value instanceof ListValue list) {
            put('[');
            for (int i = 0; i < list.size(); i++) {
                if (i > 0) {
                    put(',');
                }
                write(list.get(i));
            }
            put(']');
        } else if (value instanceof Text text) {
            writeText(text.value(), text.isUnescaped());
        } else if (value instanceof Num num) {
            putAscii(num.literal());
        } else if (value instanceof Bool bool) {
            putAscii(bool.value() ? "true" : "false");
        } else {
            putAscii("null");
        }
    }

    private void writeMap(MapValue map) {
        int[] order = sorted ? map.sortedOrder() : null;
        boolean unescaped = map.needsNoEscapes();
        put('{');
        for (int i = 0; i < map.size(); i++) {
            if (i > 0) {
                put(',');
            }
            int index = order == null ? i : order[i];
            writeText(map.keyAt(index), unescaped);
            put(':');
            write(map.valueAt(index));
        }
        put('}');
    }

    /* Most texts need no escapes and are copied as a block. The others are written character by character. */
    private void writeText(String text, boolean unescaped) {
        put('"');
        if (unescaped) {
            putAscii(text);
        } else {
            writeCharacters(text);
        }
        put('"');
    }

    private void writeCharacters(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                writeAscii(c);
            } else if (c < 0x800) {
                put(0xC0 | (c >> 6));
                put(0x80 | (c & 0x3F));
            } else if (!Character.isSurrogate(c)) {
                put(0xE0 | (c >> 12));
                put(0x80 | ((c >> 6) & 0x3F));
                put(0x80 | (c & 0x3F));
            } else if (isPair(text, i)) {
                int point = Character.toCodePoint(c, text.charAt(++i));
                put(0xF0 | (point >> 18));
                put(0x80 | ((point >> 12) & 0x3F));
                put(0x80 | ((point >> 6) & 0x3F));
                put(0x80 | (point & 0x3F));
            } else {
                writeEscape(c); // half a pair has no UTF-8 form, but JSON can escape it
            }
        }
    }

    private void writeAscii(char c) {
        int escape = ESCAPES[c];
        if (escape == 0) {
            put(c);
        } else if (escape == 'u') {
            writeEscape(c);
        } else {
            put('\\');
            put(escape);
        }
    }

    private void writeEscape(char c) {
        putAscii("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) {
            put(HEX[(c >> shift) & 0xF]);
        }
    }

    /** Whether a text of this weight consists of ASCII that needs no escapes. */
    static boolean isUnescaped(String text, long weight) {
        return weight == text.length() + 2L;
    }

    /** The bytes of a text in JSON, quotes included. Must agree to the byte with the methods that write. */
    static long weightOf(String text) {
        long weight = 2L + text.length();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                int escape = ESCAPES[c];
                weight += escape == 0 ? 0 : escape == 'u' ? 5 : 1;
            } else if (c < 0x800) {
                weight += 1;
            } else if (!Character.isSurrogate(c)) {
                weight += 2;
            } else if (isPair(text, i)) {
                weight += 2; // four bytes for two characters
                i++;
            } else {
                weight += 5;
            }
        }
        return weight;
    }

    private static boolean isPair(String text, int i) {
        return Character.isHighSurrogate(text.charAt(i))
                && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1));
    }

    /* Deprecated because getBytes drops the high bytes of characters. ASCII has none, and getBytes copies a block. */
    @SuppressWarnings("deprecation")
    private void putAscii(String text) {
        text.getBytes(0, text.length(), buffer, length);
        length += text.length();
    }

    private void put(int b) {
        buffer[length++] = (byte) b;
    }
}
