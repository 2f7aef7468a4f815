package dev.strake.engine.tree;

import java.util.function.Function;

/** Writes values as Python's {@code repr} does. */
public final class PythonRepr {

    private static final int FIRST_PRINTABLE = 0x20;
    private static final int DELETE = 0x7f;
    private static final int LAST_CONTROL = 0xa0;
    private static final int SOFT_HYPHEN = 0xad;

    private PythonRepr() {}

    /**
     * Returns the text of a value.
     *
     * @param number writes a number
     */
    public static String of(Value value, Function<Num, String> number) {
        StringBuilder out = new StringBuilder();
        write(value, number, out);
        return out.toString();
    }

    private static void write(Value value, Function<Num, String> number, StringBuilder out) {
        if (value instanceof Text text) {
            quote(text.value(), out);
        } else if (value instanceof Num num) {
            out.append(number.apply(num));
        } else if (value instanceof Bool bool) {
            out.append(bool.value() ? "True" : "False");
        } else if (value instanceof ListValue list) {
            out.append('[');
            for (int i = 0; i < list.size(); i++) {
                out.append(i > 0 ? ", " : "");
                write(list.get(i), number, out);
            }
            out.append(']');
        } else if (value instanceof MapValue map) {
            out.append('{');
            for (int i = 0; i < map.size(); i++) {
                out.append(i > 0 ? ", " : "");
                quote(map.keyAt(i), out);
                out.append(": ");
                write(map.valueAt(i), number, out);
            }
            out.append('}');
        } else {
            out.append("None");
        }
    }

    private static void quote(String text, StringBuilder out) {
        char mark = text.indexOf('\'') >= 0 && text.indexOf('"') < 0 ? '"' : '\'';
        out.append(mark);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                case '\\' -> out.append("\\\\");
                default -> {
                    if (c < FIRST_PRINTABLE || (c >= DELETE && c <= LAST_CONTROL) || c == SOFT_HYPHEN) {
                        out.append("\\x").append(Character.forDigit(c >> 4, 16)).append(Character.forDigit(c & 15, 16));
                    } else {
                        out.append(c == mark ? "\\" : "").append(c);
                    }
                }
            }
        }
        out.append(mark);
    }
}
