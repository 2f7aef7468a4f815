package dev.strake.heat.yaql;

import dev.strake.engine.limit.Budget;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.heat.python.Python;
import dev.strake.heat.python.PythonText;
import dev.strake.heat.source.Fault;
import dev.strake.heat.source.FaultCode;
import dev.strake.heat.source.FaultException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;

/** Converts and compares operands: items, keys, texts and numbers. */
final class Operands {

    /** A larger value only results from repeated expansion by functions. */
    private static final long MOST_BYTES = 8L << 20;

    private Operands() {}

    static List<Value> items(Value value) {
        if (value instanceof ListValue list) {
            return list.items();
        }
        if (value instanceof MapValue map) {
            return map.keys().stream().<Value>map(Text::new).toList();
        }
        if (value instanceof Text text && text.value().isEmpty()) {
            return List.of();
        }
        throw new YaqlException(value.kindWithArticle() + " has no items");
    }

    static void flatten(Value value, List<Value> into) {
        for (Value item : items(value)) {
            if (item instanceof ListValue) {
                flatten(item, into);
            } else {
                into.add(item);
            }
        }
    }

    static MapValue pairs(Value list) {
        MapValue.Builder map = MapValue.builder();
        if (list instanceof MapValue already) {
            return already;
        }
        for (Value item : items(list)) {
            List<Value> pair = items(item);
            if (pair.size() != 2) {
                throw new YaqlException("dict needs pairs of a key and a value");
            }
            map.put(text(pair.get(0)), pair.get(1));
        }
        return map.build();
    }

    static MapValue map(Value value) {
        if (value instanceof MapValue map) {
            return map;
        }
        throw new YaqlException(value.kindWithArticle() + " has no keys");
    }

    static String text(Value value) {
        if (value instanceof Text text) {
            return text.value();
        }
        if (value instanceof Num || value instanceof Bool) {
            return PythonText.str(value);
        }
        throw new YaqlException(value.kindWithArticle() + " is not text");
    }

    static boolean contains(Value in, Value what, Budget budget) {
        if (in instanceof Text text && what instanceof Text part) {
            budget.spendText(text.value().length());
            return text.value().contains(part.value());
        }
        List<Value> items = items(in);
        budget.spend(items.size());
        return items.stream().anyMatch(item -> Python.equal(item, what));
    }

    static int compare(Value one, Value other) {
        if (one instanceof Text a && other instanceof Text b) {
            return a.value().compareTo(b.value());
        }
        return decimal(one).compareTo(decimal(other));
    }

    static BigDecimal decimal(Value value) {
        BigDecimal number = null;
        if (value instanceof Num num) {
            number = Python.decimal(num);
        } else if (value instanceof Bool bool) {
            number = bool.value() ? BigDecimal.ONE : BigDecimal.ZERO;
        } else if (value instanceof Text text) {
            try {
                number = Python.decimal(Python.number(text.value()));
            } catch (IllegalArgumentException e) {
                throw new YaqlException(e.getMessage());
            }
        }
        if (number == null) {
            throw new YaqlException(value.kindWithArticle() + " is not a number");
        }
        return number;
    }

    static BigInteger floor(BigDecimal number) {
        return number.setScale(0, RoundingMode.FLOOR).toBigInteger();
    }

    /** Returns the number that results from two others: an integer if both are integers. */
    static Num number(BigDecimal number, Value one, Value other) {
        boolean integers = one instanceof Num a && a.isInteger() && other instanceof Num b && b.isInteger();
        String plain = number.toPlainString();
        if (plain.length() > 400) {
            throw new YaqlException("a number would have more than 400 digits");
        }
        return Num.ofLiteral(integers || plain.indexOf('.') >= 0 ? plain : plain + ".0");
    }

    static <T> T at(List<T> list, int index, String name) {
        if (index >= list.size()) {
            throw new YaqlException("the function " + name + " needs more arguments");
        }
        return list.get(index);
    }

    /** Rejects a value that would be too large, before it is created. */
    static void requireRoom(long bytes) {
        if (bytes > MOST_BYTES) {
            throw new FaultException(
                    Fault.raised(FaultCode.LIMIT, "RequestLimitExceeded", "yaql: a value would be larger than 8 MiB"));
        }
    }

    static YaqlException unknown(String name) {
        return new YaqlException("the function " + name + " is not supported");
    }
}
