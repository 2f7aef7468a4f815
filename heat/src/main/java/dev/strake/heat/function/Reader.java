package dev.strake.heat.function;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import dev.strake.heat.source.Fault;
import dev.strake.heat.source.FaultCode;
import java.util.ArrayList;
import java.util.List;

/** Reads values of a template: a mapping with one key that is the name of a function of its version is a call. */
public final class Reader {

    private static final int LONGEST_PATH = 1_000;

    private final HotVersion version;
    private final StringBuilder path = new StringBuilder();

    public Reader(HotVersion version) {
        this.version = version;
    }

    /**
     * Reads a value.
     *
     * @param where where it is, as Heat writes it
     */
    public Expression read(Value value, String where) {
        path.setLength(0);
        path.append(where);
        return read(value);
    }

    private Expression read(Value value) {
        if (value instanceof MapValue map) {
            if (map.size() == 1) {
                Function function = Functions.of(map.keyAt(0), version);
                if (function != null) {
                    int length = path.length();
                    path.append('.').append(map.keyAt(0));
                    Expression call = call(function, map.keyAt(0), map.valueAt(0));
                    path.setLength(length);
                    return call;
                }
            }
            return entries(map);
        }
        return value instanceof ListValue list ? items(list) : new Expression.Constant(value);
    }

    private Expression entries(MapValue map) {
        List<Expression> values = new ArrayList<>(map.size());
        boolean constant = true;
        int length = path.length();
        for (int i = 0; i < map.size(); i++) {
            path.append('.').append(map.keyAt(i));
            Expression value = read(map.valueAt(i));
            path.setLength(length);
            constant &= value.isConstant();
            values.add(value);
        }
        return constant ? new Expression.Constant(map) : new Expression.Entries(map.keys(), values);
    }

    private Expression items(ListValue list) {
        List<Expression> items = new ArrayList<>(list.size());
        boolean constant = true;
        for (int i = 0; i < list.size(); i++) {
            Expression item = item(list, i);
            constant &= item.isConstant();
            items.add(item);
        }
        return constant ? new Expression.Constant(list) : new Expression.Items(items);
    }

    private Expression item(ListValue list, int index) {
        int length = path.length();
        path.append('[').append(index).append(']');
        Expression item = read(list.get(index));
        path.setLength(length);
        return item;
    }

    private Expression call(Function function, String name, Value argument) {
        if (name.equals("if")) {
            return choice(argument);
        }
        Expression read = read(argument);
        String complaint = function.complaint(name, read);
        return complaint == null
                ? new Expression.Call(function, name, read, cut(path))
                : broken(FaultCode.FUNCTION_ARGUMENTS, cut(path), complaint);
    }

    private Expression choice(Value argument) {
        boolean two = version.isFrom(HotVersion.WALLABY);
        if (!(argument instanceof ListValue list) || (list.size() != 3 && !(two && list.size() == 2))) {
            return broken(
                    FaultCode.CONDITION,
                    cut(path),
                    "Arguments to \"if\" must be of the form: [condition_name, value_if_true, value_if_false]");
        }
        return new Expression.If(
                ConditionReader.nested(version, list.get(0), cut(path) + "[0]"),
                item(list, 1),
                list.size() == 3 ? item(list, 2) : null,
                cut(path));
    }

    /** A path as far as it is kept: each call has its own, and the names in it may have any length. */
    static String cut(CharSequence path) {
        return path.length() <= LONGEST_PATH ? path.toString() : path.subSequence(0, LONGEST_PATH) + "…";
    }

    static Expression broken(FaultCode code, String path, String message) {
        return new Expression.Broken(Fault.at(code, List.of(path), message).in(null, "." + path));
    }
}
