package dev.strake.heat.function;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import dev.strake.heat.source.Fault;
import dev.strake.heat.source.FaultCode;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads values of a template. A mapping with a single key is a call if the template's version has a function of that
 * name. Conditions may call only some of the functions.
 */
public final class ExpressionReader {

    private static final int LONGEST_PATH = 1_000;

    private final HotVersion version;
    private final boolean inCondition;
    private final StringBuilder path = new StringBuilder();

    public ExpressionReader(HotVersion version) {
        this(version, false);
    }

    private ExpressionReader(HotVersion version, boolean inCondition) {
        this.version = version;
        this.inCondition = inCondition;
    }

    /** Reads a condition: a name, a boolean or a definition. */
    public static Expression condition(HotVersion version, Value value, String where) {
        return new ExpressionReader(version, true).read(value, where);
    }

    /**
     * Reads a value.
     *
     * @param where the place, as in Heat
     */
    public Expression read(Value value, String where) {
        path.setLength(0);
        path.append(where);
        return read(value);
    }

    private Expression read(Value value) {
        if (value instanceof MapValue map) {
            String name = map.size() == 1 ? map.keyAt(0) : null;
            if (name == null || !isFunction(name)) {
                return entries(map);
            }
            int length = path.length();
            path.append('.').append(name);
            Expression call = call(name, map.valueAt(0));
            path.setLength(length);
            return call;
        }
        return value instanceof ListValue list ? items(list) : new Expression.Constant(value);
    }

    private boolean isFunction(String name) {
        return Functions.of(name, version) != null || (inCondition && Functions.ofConditions(name, version) != null);
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

    private Expression call(String name, Value argument) {
        Function function = inCondition ? Functions.ofConditions(name, version) : Functions.of(name, version);
        if (function == null) {
            return broken(FaultCode.CONDITION, "The function \"" + name + "\" is invalid in this context");
        }
        if (name.equals("if")) {
            return choice(argument);
        }
        Expression read = read(argument);
        String complaint = function.complaint(name, read);
        return complaint == null
                ? new Expression.Call(function, name, read, cut(path))
                : broken(inCondition ? FaultCode.CONDITION : FaultCode.FUNCTION_ARGUMENTS, complaint);
    }

    private Expression choice(Value argument) {
        boolean two = version.isFrom(HotVersion.WALLABY);
        if (!(argument instanceof ListValue list) || (list.size() != 3 && !(two && list.size() == 2))) {
            return broken(
                    FaultCode.CONDITION,
                    "Arguments to \"if\" must be of the form: [condition_name, value_if_true, value_if_false]");
        }
        return new Expression.If(
                condition(version, list.get(0), path + "[0]"),
                item(list, 1),
                list.size() == 3 ? item(list, 2) : null,
                cut(path));
    }

    /* Cuts long paths: each call keeps its own, and names may have any length. */
    private static String cut(CharSequence path) {
        return path.length() <= LONGEST_PATH ? path.toString() : path.subSequence(0, LONGEST_PATH) + "…";
    }

    private Expression broken(FaultCode code, String message) {
        String where = cut(path);
        return new Expression.Broken(Fault.at(code, List.of(where), message).in(null, "." + where));
    }
}
