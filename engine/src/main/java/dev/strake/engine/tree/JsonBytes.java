package dev.strake.engine.tree;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * Writes values as compact JSON in UTF-8. One value has one text: no blanks, the shortest escapes, numbers as they
 * were written, keys in the order of the map (or sorted, for hashing).
 *
 * <p>Only {@code "}, {@code \}, control characters and halves of surrogate pairs are escaped.
 */
public final class JsonBytes {

    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private final boolean sorted;
    private byte[] buffer = new byte[512];
    private int length;

    JsonBytes(boolean sorted) {
        this.sorted = sorted;
    }

    /** The JSON text of a value with its keys in the order of its maps. */
    public static byte[] of(Value value) {
        return of(value, false);
    }

    /** The JSON text of a value with its keys sorted: the same bytes for equal values. */
    public static byte[] sorted(Value value) {
        return of(value, true);
    }

    private static byte[] of(Value value, boolean sorted) {
        JsonBytes bytes = new JsonBytes(sorted);
        bytes.buffer = new byte[Math.toIntExact(value.weight())];
        bytes.write(value);
        return bytes.length == bytes.buffer.length ? bytes.buffer : Arrays.copyOf(bytes.buffer, bytes.length);
    }

    void digestInto(MessageDigest digest) {
        digest.update(buffer, 0, length);
    }

    void write(Value value) {
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
            writeText(text.value());
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
        put('{');
        for (int i = 0; i < map.size(); i++) {
            if (i > 0) {
                put(',');
            }
            int index = order == null ? i : order[i];
            writeText(map.keyAt(index));
            put(':');
            write(map.valueAt(index));
        }
        put('}');
    }

    private void writeText(String text) {
        put('"');
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
                writeEscape(c); // half a pair has no UTF-8, but JSON can say it
            }
        }
        put('"');
    }

    private void writeAscii(char c) {
        int escape = shortEscape(c);
        if (escape != 0) {
            put('\\');
            put(escape);
        } else if (c < 0x20) {
            writeEscape(c);
        } else {
            put(c);
        }
    }

    private void writeEscape(char c) {
        putAscii("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) {
            put(HEX[(c >> shift) & 0xF]);
        }
    }

    /** Bytes that a text takes in JSON, quotes included. Has to agree with the writing above to the byte. */
    static long weightOf(String text) {
        long weight = 2;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                weight += shortEscape(c) != 0 ? 2 : c < 0x20 ? 6 : 1;
            } else if (c < 0x800) {
                weight += 2;
            } else if (!Character.isSurrogate(c)) {
                weight += 3;
            } else if (isPair(text, i)) {
                weight += 4;
                i++;
            } else {
                weight += 6;
            }
        }
        return weight;
    }

    private static boolean isPair(String text, int i) {
        return Character.isHighSurrogate(text.charAt(i))
                && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1));
    }

    private static int shortEscape(char c) {
        return switch (c) {
            case '"', '\\' -> c;
            case '\n' -> 'n';
            case '\r' -> 'r';
            case '\t' -> 't';
            case '\b' -> 'b';
            case '\f' -> 'f';
            default -> 0;
        };
    }

    private void putAscii(String text) {
        for (int i = 0; i < text.length(); i++) {
            put(text.charAt(i));
        }
    }

    private void put(int b) {
        if (length == buffer.length) {
            buffer = Arrays.copyOf(buffer, length * 2 + 16);
        }
        buffer[length++] = (byte) b;
    }
}
