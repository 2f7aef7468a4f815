package dev.strake.heat.function;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.List;

/** Reads the outermost form of an argument before it is evaluated. */
final class Arguments {

    private Arguments() {}

    /** The items of a list, written out or with calls in it; null if it is none. */
    static List<Expression> items(Expression expression) {
        if (expression instanceof Expression.Items items) {
            return items.items();
        }
        return expression instanceof Expression.Constant constant && constant.value() instanceof ListValue list
                ? list.items().stream()
                        .<Expression>map(Expression.Constant::new)
                        .toList()
                : null;
    }

    /** The keys of a mapping; null if it is none. */
    static List<String> keys(Expression expression) {
        if (expression instanceof Expression.Entries entries) {
            return entries.keys();
        }
        return expression instanceof Expression.Constant constant && constant.value() instanceof MapValue map
                ? map.keys()
                : null;
    }

    /** What a key of a mapping has; null if there is none. */
    static Expression entry(Expression expression, String key) {
        if (expression instanceof Expression.Entries entries) {
            return entries.get(key);
        }
        return expression instanceof Expression.Constant constant
                        && constant.value() instanceof MapValue map
                        && map.has(key)
                ? new Expression.Constant(map.get(key))
                : null;
    }

    /** A text that is written out; null if it is anything else. */
    static String text(Expression expression) {
        return expression instanceof Expression.Constant constant && constant.value() instanceof Text text
                ? text.value()
                : null;
    }

    /** Whether its form is not known yet: it is a choice, or cannot be read, which is reported elsewhere. */
    static boolean isOpen(Expression expression) {
        return expression instanceof Expression.If || expression instanceof Expression.Broken;
    }

    /** Whether its value is only known when it is evaluated. */
    static boolean isDynamic(Expression expression) {
        return expression instanceof Expression.Call || isOpen(expression);
    }

    /** The argument of a call at this position; complains in Python's way if there is none. */
    static Value item(ListValue list, int index) {
        if (index >= list.size()) {
            throw new UnresolvedException("list index out of range");
        }
        return list.get(index);
    }
}
