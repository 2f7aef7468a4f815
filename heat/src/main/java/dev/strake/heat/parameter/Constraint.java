package dev.strake.heat.parameter;

import dev.strake.engine.limit.Budget;
import dev.strake.engine.pattern.TextPattern;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.heat.python.Python;
import dev.strake.heat.python.PythonText;
import java.math.BigDecimal;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** A constraint on the values of a parameter. */
public sealed interface Constraint {

    /** Returns the author's description; null if there is none. */
    String description();

    /** Returns the name in Heat's messages. */
    default String name() {
        return getClass().getSimpleName();
    }

    /** Returns the types of parameters that may have the constraint. */
    default Set<ParameterType> types() {
        return EnumSet.complementOf(EnumSet.of(ParameterType.JSON));
    }

    /**
     * Returns what is wrong with a value of a type, worded as in Heat; null if nothing is.
     *
     * @throws IllegalArgumentException if a text cannot be converted to the type
     */
    String complaint(Value value, ParameterType type, Budget budget);

    /** A number between a minimum and a maximum; either may be null. */
    record Range(Num min, Num max, String description) implements Constraint {

        @Override
        public Set<ParameterType> types() {
            return EnumSet.of(ParameterType.NUMBER);
        }

        @Override
        public String complaint(Value value, ParameterType type, Budget budget) {
            BigDecimal number = number(value);
            return number != null && isWithin(number, min, max)
                    ? null
                    : PythonText.str(value) + " is out of range (min: " + text(min) + ", max: " + text(max) + ")";
        }
    }

    /** A number of characters, items or entries. */
    record Length(Num min, Num max, String description) implements Constraint {

        @Override
        public Set<ParameterType> types() {
            return EnumSet.of(ParameterType.STRING, ParameterType.COMMA_DELIMITED_LIST, ParameterType.JSON);
        }

        @Override
        public String complaint(Value value, ParameterType type, Budget budget) {
            int length;
            if (value instanceof Text text) {
                length = text.value().codePointCount(0, text.value().length());
            } else if (value instanceof ListValue list) {
                length = list.size();
            } else if (value instanceof MapValue map) {
                length = map.size();
            } else {
                return "object of type '" + Python.type(value) + "' has no len()";
            }
            return isWithin(BigDecimal.valueOf(length), min, max)
                    ? null
                    : "length (" + length + ") is out of range (min: " + text(min) + ", max: " + text(max) + ")";
        }
    }

    /** A number with a given remainder. */
    record Modulo(Num step, Num offset, String description) implements Constraint {

        @Override
        public Set<ParameterType> types() {
            return EnumSet.of(ParameterType.NUMBER);
        }

        @Override
        public String complaint(Value value, ParameterType type, Budget budget) {
            BigDecimal number = number(value);
            BigDecimal divisor = Python.decimal(step);
            BigDecimal wanted = Python.decimal(offset);
            if (number != null && divisor != null && wanted != null) {
                BigDecimal rest = number.remainder(divisor);
                if (rest.signum() != 0 && rest.signum() != divisor.signum()) {
                    rest = rest.add(divisor); // Python's remainder has the sign of the divisor
                }
                if (rest.compareTo(wanted) == 0) {
                    return null;
                }
            }
            return PythonText.str(value) + " is not a multiple of " + text(step) + " with an offset of " + text(offset);
        }
    }

    /** One of several values; each item of a list has to be one of them. */
    record AllowedValues(ListValue allowed, String description) implements Constraint {

        @Override
        public String complaint(Value value, ParameterType type, Budget budget) {
            boolean fits = value instanceof ListValue list
                    ? list.items().stream().allMatch(item -> isAllowed(item, budget))
                    : isAllowed(value, type, budget);
            return fits
                    ? null
                    : PythonText.jsonInOrder(value) + " is not an allowed value " + PythonText.jsonInOrder(allowed);
        }

        /* Compares values after conversion to the type: as strings, the number 5 equals the text 5. */
        private boolean isAllowed(Value value, ParameterType type, Budget budget) {
            budget.spend(allowed.size());
            List<Value> worth = allowed.items().stream()
                    .map(each -> ParameterValues.inTemplate(type, each))
                    .toList();
            Value wanted = ParameterValues.inTemplate(type, value);
            return worth.stream().anyMatch(each -> Python.equal(each, wanted));
        }

        private boolean isAllowed(Value value, Budget budget) {
            budget.spend(allowed.size());
            for (int i = 0; i < allowed.size(); i++) {
                if (Python.equal(allowed.get(i), value)) {
                    return true;
                }
            }
            return false;
        }
    }

    /**
     * A text that a regular expression matches as a whole. Only the first match is tried, so {@code a|ab} does not
     * match {@code ab}.
     *
     * @param pattern the compiled pattern; null if it cannot run in linear time
     */
    record AllowedPattern(String written, TextPattern pattern, String description) implements Constraint {

        @Override
        public Set<ParameterType> types() {
            return EnumSet.of(ParameterType.STRING);
        }

        @Override
        public String complaint(Value value, ParameterType type, Budget budget) {
            if (!(value instanceof Text text)) {
                return "expected string or bytes-like object, got '" + Python.type(value) + "'";
            }
            TextPattern.Match match = pattern == null ? null : pattern.search(text.value(), 0, 0, budget);
            boolean fits = pattern == null
                    || (match != null && match.end() == text.value().length());
            return fits ? null : "\"" + text.value() + "\" does not match pattern \"" + written + "\"";
        }
    }

    /** A constraint that needs a running cloud; never checked here. */
    record Custom(String constraint, String description) implements Constraint {

        @Override
        public String name() {
            return "CustomConstraint";
        }

        @Override
        public String complaint(Value value, ParameterType type, Budget budget) {
            return null;
        }
    }

    private static BigDecimal number(Value value) {
        if (value instanceof Num num) {
            return Python.decimal(num);
        }
        return value instanceof Text text ? Python.decimal(Python.number(text.value())) : null;
    }

    private static boolean isWithin(BigDecimal number, Num min, Num max) {
        BigDecimal least = min == null ? null : Python.decimal(min);
        BigDecimal most = max == null ? null : Python.decimal(max);
        return (least == null || number.compareTo(least) >= 0) && (most == null || number.compareTo(most) <= 0);
    }

    private static String text(Num bound) {
        return bound == null ? "None" : PythonText.number(bound);
    }
}
