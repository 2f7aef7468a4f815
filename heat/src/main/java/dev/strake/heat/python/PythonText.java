package dev.strake.heat.python;

import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.PythonRepr;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.math.BigDecimal;
import java.util.List;

/** Converts values to text, as Python's {@code str}, {@code repr} and {@code json.dumps}. */
public final class PythonText {

    private PythonText() {}

    /** Converts as {@code str} does. */
    public static String str(Value value) {
        return value instanceof Text text ? text.value() : repr(value);
    }

    /** Converts as {@code repr} does. */
    public static String repr(Value value) {
        return PythonRepr.of(value, PythonText::number);
    }

    /** Converts a number as Python does: a float becomes the shortest text that parses to the same number. */
    public static String number(Num num) {
        if (num.isInteger()) {
            return num.literal();
        }
        BigDecimal exact = Python.decimal(num);
        if (exact == null) {
            return num.literal();
        }
        double value = exact.doubleValue();
        if (Double.isInfinite(value)) {
            return value > 0 ? "inf" : "-inf";
        }
        double size = Math.abs(value);
        if (value == 0 || (size >= 1e-4 && size < 1e16)) {
            String plain = BigDecimal.valueOf(value).toPlainString();
            return plain.indexOf('.') < 0 ? plain + ".0" : plain;
        }
        String[] parts = Double.toString(value).split("E", -1);
        String mantissa = parts[0].endsWith(".0") ? parts[0].substring(0, parts[0].length() - 2) : parts[0];
        int exponent = Integer.parseInt(parts[1]);
        return mantissa + "e" + (exponent < 0 ? "-" : "+") + (Math.abs(exponent) < 10 ? "0" : "") + Math.abs(exponent);
    }

    /** Converts as {@code json.dumps} does with sorted keys: a blank after commas and colons, ASCII only. */
    public static String json(Value value) {
        StringBuilder out = new StringBuilder();
        json(value, true, out);
        return out.toString();
    }

    /** Converts as {@code json.dumps} does, with keys in their order. */
    public static String jsonInOrder(Value value) {
        StringBuilder out = new StringBuilder();
        json(value, false, out);
        return out.toString();
    }

    private static void json(Value value, boolean sorted, StringBuilder out) {
        if (value instanceof Text text) {
            jsonQuote(text.value(), out);
        } else if (value instanceof Num num) {
            out.append(number(num));
        } else if (value instanceof Bool bool) {
            out.append(bool.value());
        } else if (value instanceof ListValue list) {
            out.append('[');
            for (int i = 0; i < list.size(); i++) {
                out.append(i > 0 ? ", " : "");
                json(list.get(i), sorted, out);
            }
            out.append(']');
        } else if (value instanceof MapValue map) {
            List<String> keys = sorted ? map.keys().stream().sorted().toList() : map.keys();
            out.append('{');
            for (int i = 0; i < keys.size(); i++) {
                out.append(i > 0 ? ", " : "");
                jsonQuote(keys.get(i), out);
                out.append(": ");
                json(map.get(keys.get(i)), sorted, out);
            }
            out.append('}');
        } else if (value instanceof Null) {
            out.append("null");
        }
    }

    private static void jsonQuote(String text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                case '\b' -> out.append("\\b");
                case '\f' -> out.append("\\f");
                default -> {
                    if (c < 0x20 || c > 0x7e) {
                        out.append(String.format("\\u%04x", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }
}
