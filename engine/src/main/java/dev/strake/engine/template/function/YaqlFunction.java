package dev.strake.engine.template.function;

import dev.strake.engine.template.yaql.Yaql;
import dev.strake.engine.template.yaql.YaqlException;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.List;

/** The function {@code yaql}: an expression over some data. */
final class YaqlFunction implements Function {

    static final Function YAQL = new YaqlFunction();

    private YaqlFunction() {}

    @Override
    public String complaint(String name, Expression argument) {
        List<String> keys = Shape.keys(argument);
        if (keys == null) {
            return "Arguments to \"" + name + "\" must be a map.";
        }
        if (!keys.contains("expression") || !keys.contains("data") || keys.size() != 2) {
            return "\"" + name + "\" syntax should be " + name + ": {expression: <expression>, data: <data>}";
        }
        Expression expression = Shape.entry(argument, "expression");
        return Shape.isOpen(expression) || Shape.text(expression) != null
                ? null
                : "The \"expression\" argument to \"" + name + "\" must contain a string";
    }

    @Override
    public String lateComplaint(String name, Expression argument) {
        String text = Shape.text(Shape.entry(argument, "expression"));
        if (text == null) {
            return null;
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
            return Yaql.of(expression.value()).apply(MapValue.of("data", map.get("data")), scope.budget());
        } catch (YaqlException e) {
            throw new UnresolvedException("yaql: " + e.getMessage());
        }
    }
}
