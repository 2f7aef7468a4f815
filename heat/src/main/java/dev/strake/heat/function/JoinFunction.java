package dev.strake.heat.function;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.heat.python.Python;
import dev.strake.heat.python.PythonText;
import java.util.ArrayList;
import java.util.List;

/**
 * The function {@code list_join}.
 *
 * @param several whether it accepts several lists, and joins other values than texts as JSON: since version 2015-10-15
 */
record JoinFunction(boolean several) implements Function {

    @Override
    public String complaint(String name, Expression argument) {
        List<Expression> items = Arguments.items(argument);
        String example = several
                ? name + " : [ <delim>, [ <string>, <string>, ... ], [ ... ], ... ]"
                : "\"" + name + "\" : [ \" \", [ \"str1\", \"str2\"]]";
        boolean fits = items != null && (several ? items.size() >= 2 : items.size() == 2);
        return Arguments.isOpen(argument) || fits
                ? null
                : "Incorrect arguments to \"" + name + "\" should be: " + example;
    }

    @Override
    public Value apply(String name, Value arguments, Scope scope) {
        if (!(arguments instanceof ListValue all) || !(Arguments.item(all, 0) instanceof Text delimiter)) {
            throw new UnresolvedException("\"" + name + "\" delimiter must be a string");
        }
        List<String> texts = new ArrayList<>();
        for (int i = 1; i < all.size(); i++) {
            Value list = all.get(i);
            if (several ? !Python.isTrue(list) : list instanceof Null) {
                continue;
            }
            if (!(list instanceof ListValue items)) {
                throw new UnresolvedException("\"" + name + "\" must operate on a list");
            }
            scope.budget().spend(items.size());
            items.items().forEach(item -> texts.add(text(item)));
        }
        return new Text(TextFunctions.joined(delimiter.value(), texts, scope));
    }

    private String text(Value item) {
        if (item instanceof Null) {
            return "";
        }
        if (item instanceof Text text) {
            return text.value();
        }
        if (!several || !(item instanceof ListValue || item instanceof MapValue)) {
            throw new UnresolvedException("an item of type " + Python.type(item) + " cannot be joined");
        }
        return PythonText.json(item);
    }
}
