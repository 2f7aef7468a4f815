package dev.strake.heat.python;

import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.math.BigDecimal;
import java.util.stream.IntStream;

/** Truth, equality and numbers, as in Python. */
public final class Python {

    /** Longer literals may represent numbers with a billion digits. */
    private static final int LONGEST_NUMBER = 400;

    /** The maximum depth of a JSON text. */
    private static final int DEEPEST_JSON = 64;

    private Python() {}

    /** Whether a value is true in Python: not null, empty, zero or false. */
    public static boolean isTrue(Value value) {
        if (value instanceof Text text) {
            return !text.value().isEmpty();
        }
        if (value instanceof Num num) {
            return !isZero(num.literal());
        }
        if (value instanceof ListValue list) {
            return list.size() > 0;
        }
        if (value instanceof MapValue map) {
            return !map.isEmpty();
        }
        return Bool.TRUE.equals(value);
    }

    private static boolean isZero(String literal) {
        for (int i = 0; i < literal.length() && literal.charAt(i) != 'e' && literal.charAt(i) != 'E'; i++) {
            if (literal.charAt(i) >= '1' && literal.charAt(i) <= '9') {
                return false;
            }
        }
        return true;
    }

    /** Whether two values are equal in Python: numbers by value, true equals 1, mappings in any order. */
    public static boolean equal(Value one, Value other) {
        if (one instanceof MapValue a && other instanceof MapValue b) {
            return a.size() == b.size()
                    && IntStream.range(0, a.size())
                            .allMatch(i -> b.has(a.keyAt(i)) && equal(a.valueAt(i), b.get(a.keyAt(i))));
        }
        if (one instanceof ListValue a && other instanceof ListValue b) {
            return a.size() == b.size() && IntStream.range(0, a.size()).allMatch(i -> equal(a.get(i), b.get(i)));
        }
        BigDecimal a = number(one);
        BigDecimal b = number(other);
        boolean numbers = a != null && b != null;
        return numbers ? a.compareTo(b) == 0 : one.equals(other);
    }

    /* Returns the value of a number or boolean; null for other values. */
    private static BigDecimal number(Value value) {
        if (value instanceof Bool bool) {
            return bool.value() ? BigDecimal.ONE : BigDecimal.ZERO;
        }
        return value instanceof Num num ? decimal(num) : null;
    }

    /** Returns the value of a number; null if its literal is too long or its exponent too large. */
    public static BigDecimal decimal(Num num) {
        if (num.literal().length() > LONGEST_NUMBER) {
            return null;
        }
        try {
            BigDecimal value = num.decimal();
            return Math.abs((long) value.scale()) > LONGEST_NUMBER ? null : value;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /**
     * Parses a number, as Python's {@code int()} or else {@code float()}.
     *
     * @throws IllegalArgumentException with Python's message, if the text is no number
     */
    public static Num number(String text) {
        String plain = text.strip().replaceFirst("^\\+", "");
        if (plain.length() <= LONGEST_NUMBER && plain.matches("-?[0-9]+(_[0-9]+)*")) {
            String digits = plain.replace("_", "").replaceFirst("^(-?)0+(?=[0-9])", "$1");
            return Num.ofLiteral(digits.equals("-0") ? "0" : digits);
        }
        if (plain.length() <= LONGEST_NUMBER && plain.matches("-?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]{1,4})?")) {
            String shaped = plain.replaceFirst("^(-?)\\.", "$10.")
                    .replaceFirst("^(-?)0+(?=[0-9])", "$1")
                    .replaceFirst("\\.(?=$|[eE])", ".0");
            return Num.ofLiteral(shaped.indexOf('.') < 0 && !shaped.matches(".*[eE].*") ? shaped + ".0" : shaped);
        }
        throw new IllegalArgumentException("could not convert string to float: " + PythonText.repr(new Text(text)));
    }

    /**
     * Parses a JSON text.
     *
     * @throws IllegalArgumentException if it is invalid
     */
    public static Value json(String text) {
        return JsonReader.read(text, DEEPEST_JSON);
    }

    /** Returns the name of a value's class in Python. */
    public static String type(Value value) {
        if (value instanceof Text) {
            return "str";
        }
        if (value instanceof Num num) {
            return num.isInteger() ? "int" : "float";
        }
        if (value instanceof ListValue) {
            return "list";
        }
        if (value instanceof MapValue) {
            return "dict";
        }
        return value instanceof Null ? "NoneType" : "bool";
    }

    /** Returns a value's class as Python prints it. */
    public static String className(Value value) {
        return "<class '" + type(value) + "'>";
    }
}
