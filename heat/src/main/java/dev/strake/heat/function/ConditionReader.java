package dev.strake.heat.function;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import dev.strake.heat.source.FaultCode;
import java.util.ArrayList;
import java.util.List;

/** Reads conditions, in which only some functions may be used. */
public final class ConditionReader {

    private final HotVersion version;

    private ConditionReader(HotVersion version) {
        this.version = version;
    }

    public static Expression definition(HotVersion version, Value value, String path) {
        return new ConditionReader(version).read(value, path);
    }

    /** A condition where one is used: a name, a boolean or a definition. */
    public static Expression nested(HotVersion version, Value value, String path) {
        return new ConditionReader(version).read(value, path);
    }

    private Expression read(Value value, String path) {
        if (value instanceof MapValue map && map.size() == 1) {
            String name = map.keyAt(0);
            Function function = Functions.ofConditions(name, version);
            String below = Reader.cut(path + "." + name);
            if (function == null && Functions.of(name, version) != null) {
                return Reader.broken(
                        FaultCode.CONDITION, below, "The function \"" + name + "\" is invalid in this context");
            }
            if (function != null) {
                Expression argument = read(map.valueAt(0), below);
                String complaint = function.complaint(name, argument);
                return complaint == null
                        ? new Expression.Call(function, name, argument, below)
                        : Reader.broken(FaultCode.CONDITION, below, complaint);
            }
        }
        if (value instanceof MapValue map) {
            List<Expression> values = new ArrayList<>();
            boolean constant = true;
            for (int i = 0; i < map.size(); i++) {
                values.add(read(map.valueAt(i), Reader.cut(path + "." + map.keyAt(i))));
                constant &= values.get(i).isConstant();
            }
            return constant ? new Expression.Constant(map) : new Expression.Entries(map.keys(), values);
        }
        if (value instanceof ListValue list) {
            List<Expression> items = new ArrayList<>();
            boolean constant = true;
            for (int i = 0; i < list.size(); i++) {
                items.add(read(list.get(i), Reader.cut(path + "[" + i + "]")));
                constant &= items.get(i).isConstant();
            }
            return constant ? new Expression.Constant(list) : new Expression.Items(items);
        }
        return new Expression.Constant(value);
    }
}
