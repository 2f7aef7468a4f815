package dev.strake.engine.template.function;

import dev.strake.engine.template.python.PythonText;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The function {@code str_replace} and its strict forms. Longer placeholders are replaced first, and nothing is
 * replaced in what has been inserted.
 *
 * @param json whether lists and mappings can be inserted, as JSON
 */
record ReplaceFunction(Strictness strictness, boolean json) implements Function {

    enum Strictness {
        LAX,
        /** Every placeholder has to be in the text. */
        STRICT,
        /** And no value may be empty. */
        VERY_STRICT
    }

    @Override
    public String complaint(String name, Expression argument) {
        List<String> keys = Shape.keys(argument);
        if (keys == null) {
            return Shape.isOpen(argument) ? null : "Arguments to \"" + name + "\" must be a map";
        }
        return keys.contains("template") && keys.contains("params") && keys.size() == 2
                ? null
                : "'\"" + name + "\" syntax should be " + name
                        + ":\\n              template: This is var1 template var2\\n"
                        + "              params:\\n                var1: a\\n                var2: string'";
    }

    @Override
    public Value apply(String name, Value arguments, Scope scope) {
        MapValue map = arguments instanceof MapValue both ? both : MapValue.EMPTY;
        if (!(map.get("template") instanceof Text template)) {
            throw new UnresolvedException("\"" + name + "\" template must be a string");
        }
        Value written = map.get("params") == Null.NULL ? MapValue.EMPTY : map.get("params");
        if (!(written instanceof MapValue params)) {
            throw new UnresolvedException("\"" + name + "\" params must be a map");
        }
        List<String> placeholders = params.keys().stream()
                .sorted(Comparator.comparing(String::length).reversed().thenComparing(Comparator.naturalOrder()))
                .filter(placeholder -> !placeholder.isEmpty())
                .toList();
        List<String> values = new ArrayList<>();
        for (String placeholder : placeholders) {
            if (strictness != Strictness.LAX && !template.value().contains(placeholder)) {
                throw new UnresolvedException("The following params were not found in the template: " + placeholder);
            }
            values.add(text(name, placeholder, params.get(placeholder)));
        }
        StringBuilder out = new StringBuilder();
        replace(template.value(), placeholders, values, 0, out, scope);
        return new Text(out.toString());
    }

    private void replace(
            String text, List<String> placeholders, List<String> values, int from, StringBuilder out, Scope scope) {
        for (int i = from; i < placeholders.size(); i++) {
            scope.budget().spend(1 + text.length() / 32);
            int at = text.indexOf(placeholders.get(i));
            if (at < 0) {
                continue;
            }
            int start = 0;
            for (; at >= 0; at = text.indexOf(placeholders.get(i), start)) {
                replace(text.substring(start, at), placeholders, values, i + 1, out, scope);
                append(values.get(i), out, scope);
                start = at + placeholders.get(i).length();
            }
            replace(text.substring(start), placeholders, values, i + 1, out, scope);
            return;
        }
        append(text, out, scope);
    }

    private static void append(String text, StringBuilder out, Scope scope) {
        scope.budget().spendText(text.length());
        TextFunctions.requireRoom(out.length() + (long) text.length());
        out.append(text);
    }

    private String text(String name, String placeholder, Value value) {
        boolean container = value instanceof ListValue || value instanceof MapValue;
        if (container && !json) {
            throw new UnresolvedException(
                    "\"" + name + "\" params must be strings or numbers, param " + placeholder + " is not valid");
        }
        String text = value == Null.NULL ? "" : container ? PythonText.json(value) : PythonText.str(value);
        if (text.isEmpty() && strictness == Strictness.VERY_STRICT) {
            throw new UnresolvedException(name + " has an undefined or empty value for param " + placeholder);
        }
        return text;
    }
}
