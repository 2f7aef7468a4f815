package dev.strake.heat.function;

import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.heat.python.Python;
import java.util.ArrayList;
import java.util.List;

/** Functions of lists. */
final class ListFunctions {

    private ListFunctions() {}

    static final Function LIST_CONCAT =
            concat((name, arguments, scope) -> ListValue.of(concatenated(name, arguments, scope)));

    static final Function LIST_CONCAT_UNIQUE =
            concat((name, arguments, scope) -> ListValue.of(firstOfEach(concatenated(name, arguments, scope), scope)));

    private static Function concat(Function values) {
        return Function.of(
                (name, argument) -> Arguments.items(argument) != null || Arguments.isDynamic(argument)
                        ? null
                        : "Incorrect arguments to \"" + name + "\" should be: " + name
                                + " : [ [ <value 1>, <value 2>, ... ], [ <value 1>, <value 2>, ... ], ... ]",
                values);
    }

    private static List<Value> concatenated(String name, Value arguments, Scope scope) {
        if (!(arguments instanceof ListValue lists)) {
            throw new UnresolvedException("Incorrect arguments to \"" + name + "\"");
        }
        List<Value> all = new ArrayList<>();
        for (Value item : lists.items()) {
            if (item instanceof ListValue list) {
                scope.budget().spend(list.size());
                all.addAll(list.items());
            } else if (!(item instanceof Null)) {
                throw new UnresolvedException("Incorrect arguments: Items to concat must be lists.");
            }
        }
        return all;
    }

    private static List<Value> firstOfEach(List<Value> all, Scope scope) {
        List<Value> kept = new ArrayList<>();
        for (Value item : all) {
            scope.budget().spend(kept.size() + 1);
            if (kept.stream().noneMatch(earlier -> Python.equal(earlier, item))) {
                kept.add(item);
            }
        }
        return kept;
    }

    static final Function FILTER = Function.of(ListFunctions::complaintOfFilter, ListFunctions::filtered);

    private static String complaintOfFilter(String name, Expression argument) {
        List<Expression> items = Arguments.items(argument);
        if (items == null) {
            return Arguments.isOpen(argument) ? null : "Argument to \"" + name + "\" must be a list";
        }
        return items.size() == 2
                ? null
                : "\"" + name + "\" expected 2 arguments of the form [values, sequence] but got " + items.size()
                        + " arguments instead";
    }

    private static Value filtered(String name, Value arguments, Scope scope) {
        if (!(arguments instanceof ListValue both)) {
            throw new UnresolvedException("\"" + name + "\" only works with lists");
        }
        Value without = Arguments.item(both, 0);
        Value all = Arguments.item(both, 1);
        if (!Python.isTrue(all)) {
            return all;
        }
        if (!(all instanceof ListValue sequence) || (Python.isTrue(without) && !(without instanceof ListValue))) {
            throw new UnresolvedException("\"" + name + "\" only works with lists");
        }
        if (!(without instanceof ListValue values)) {
            return all;
        }
        scope.budget().spend((long) values.size() * sequence.size());
        return ListValue.of(sequence.items().stream()
                .filter(item -> values.items().stream().noneMatch(value -> Python.equal(value, item)))
                .toList());
    }

    static final Function CONTAINS = Function.of(
            (name, argument) -> Arguments.isPair(argument)
                    ? null
                    : "Arguments to \"" + name + "\" must be of the form: [value1, [value1, value2]]",
            ListFunctions::contains);

    private static Value contains(String name, Value arguments, Scope scope) {
        Value wanted = Arguments.item((ListValue) arguments, 0);
        Value sequence = Arguments.item((ListValue) arguments, 1);
        if (sequence instanceof ListValue list) {
            scope.budget().spend(list.size());
            return Bool.of(list.items().stream().anyMatch(item -> Python.equal(item, wanted)));
        }
        if (sequence instanceof Text text && wanted instanceof Text part) {
            scope.budget().spendText(text.value().length());
            return Bool.of(text.value().contains(part.value()));
        }
        throw new UnresolvedException("Second argument to \"" + name + "\" should be a sequence.");
    }

    static final Function SELECT = Function.of(
            (name, argument) -> Arguments.isDynamic(argument) || Arguments.isPair(argument)
                    ? null
                    : "Arguments to \"" + name + "\" must be of the form [index, collection]",
            ListFunctions::selected);

    private static Value selected(String name, Value arguments, Scope scope) {
        if (!(arguments instanceof ListValue both) || both.size() != 2) {
            throw new UnresolvedException("Arguments to \"" + name + "\" must be of the form [index, collection]");
        }
        Value index = both.get(0);
        if (both.get(1) instanceof MapValue map && index instanceof Text key) {
            return map.has(key.value()) ? map.get(key.value()) : new Text("");
        }
        if (both.get(1) instanceof ListValue list) {
            int at = index instanceof Num num && num.isInteger()
                    ? num.nearestInt()
                    : index instanceof Text text && text.value().matches("[0-9]{1,9}")
                            ? Integer.parseInt(text.value())
                            : -1;
            return at >= 0 && at < list.size() ? list.get(at) : new Text("");
        }
        return new Text("");
    }
}
