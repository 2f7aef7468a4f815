package dev.strake.heat.function;

import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.heat.yaql.Yaql;
import dev.strake.heat.yaql.YaqlException;
import java.util.List;

/** The function {@code yaql}: evaluates an expression on data. */
final class YaqlFunction implements Function {

    static final Function YAQL = new YaqlFunction();

    private YaqlFunction() {}

    @Override
    public String complaint(String name, Expression argument) {
        List<String> keys = Arguments.keys(argument);
        if (keys == null) {
            return "Arguments to \"" + name + "\" must be a map.";
        }
        return keys.contains("expression") && keys.size() == (keys.contains("data") ? 2 : 1)
                ? null
                : "\"" + name + "\" syntax should be " + name + ": {expression: <expression>, data: <data>}";
    }

    @Override
    public String lateComplaint(String name, Expression argument) {
        Expression expression = Arguments.entry(argument, "expression");
        String text = Arguments.text(expression);
        if (text == null) {
            return expression == null || Arguments.isDynamic(expression)
                    ? null
                    : "The \"expression\" argument to \"" + name + "\" must contain a string";
        }
        try {
            Yaql.of(text);
            return null;
        } catch (YaqlException e) {
            return "Bad expression " + e.getMessage();
        }
    }

    @Override
    public Value apply(String name, Value arguments, Scope scope) {
        MapValue map = (MapValue) arguments;
        if (!(map.get("expression") instanceof Text expression)) {
            throw new UnresolvedException("The \"expression\" argument to \"" + name + "\" must contain a string");
        }
        try {
            return Yaql.of(expression.value())
                    .apply(MapValue.of("data", map.has("data") ? map.get("data") : MapValue.EMPTY), scope.budget());
        } catch (YaqlException e) {
            throw new UnresolvedException("yaql: " + e.getMessage());
        }
    }
}
