package dev.strake.heat.function;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.List;

/** Inspects the outermost form of an argument before it is evaluated. */
final class Arguments {

    private Arguments() {}

    /** Returns the items of a list; null for any other expression. */
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

    /** Whether an expression is a list of two items. */
    static boolean isPair(Expression expression) {
        List<Expression> items = items(expression);
        return items != null && items.size() == 2;
    }

    /** Returns the keys of a mapping; null for any other expression. */
    static List<String> keys(Expression expression) {
        if (expression instanceof Expression.Entries entries) {
            return entries.keys();
        }
        return expression instanceof Expression.Constant constant && constant.value() instanceof MapValue map
                ? map.keys()
                : null;
    }

    /** Returns the entry of a key in a mapping; null if there is none. */
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

    /** Returns a constant text; null for any other expression. */
    static String text(Expression expression) {
        return expression instanceof Expression.Constant constant && constant.value() instanceof Text text
                ? text.value()
                : null;
    }

    /** Whether the form is unknown: a choice, or a broken expression, which is reported elsewhere. */
    static boolean isOpen(Expression expression) {
        return expression instanceof Expression.If || expression instanceof Expression.Broken;
    }

    /** Whether the value is known only after evaluation. */
    static boolean isDynamic(Expression expression) {
        return expression instanceof Expression.Call || isOpen(expression);
    }

    /** Returns an item of the arguments. If it is missing, fails with Python's message. */
    static Value item(ListValue list, int index) {
        if (index >= list.size()) {
            throw new UnresolvedException("list index out of range");
        }
        return list.get(index);
    }
}
