package dev.strake.heat.function;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.heat.python.Python;
import dev.strake.heat.python.PythonText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The function {@code str_replace} and its strict forms. Longer placeholders are replaced first. Inserted text is not
 * replaced again.
 *
 * @param json whether lists and mappings can be inserted, as JSON
 */
record ReplaceFunction(Strictness strictness, boolean json) implements Function {

    enum Strictness {
        LAX,
        /** Every placeholder has to occur in the text. */
        STRICT,
        /** As {@link #STRICT}, and no value may be empty. */
        VERY_STRICT
    }

    @Override
    public String complaint(String name, Expression argument) {
        List<String> keys = Arguments.keys(argument);
        if (keys == null) {
            return Arguments.isOpen(argument) ? null : "Arguments to \"" + name + "\" must be a map";
        }
        if (keys.contains("template") && keys.contains("params")) {
            Expression params = Arguments.entry(argument, "params");
            return Arguments.isDynamic(params) || Arguments.keys(params) != null
                    ? null
                    : "\"" + name + "\" parameters must be a mapping";
        }
        return "'\"" + name + "\" syntax should be " + name
                + ":\\n              template: This is var1 template var2\\n"
                + "              params:\\n                var1: a\\n                var2: string'";
    }

    @Override
    public Value apply(String name, Value arguments, Scope scope) {
        MapValue map = arguments instanceof MapValue both ? both : MapValue.EMPTY;
        if (!(map.get("template") instanceof Text template)) {
            throw new UnresolvedException("\"" + name + "\" template must be a string");
        }
        if (!(map.get("params") instanceof MapValue params)) {
            throw new UnresolvedException("\"" + name + "\" params must be a map");
        }
        List<String> placeholders = params.keys().stream()
                .sorted(Comparator.comparing(String::length).reversed().thenComparing(Comparator.naturalOrder()))
                .toList();
        List<Piece> pieces = List.of(new Piece(template.value(), true));
        for (String placeholder : placeholders) {
            if (placeholder.isEmpty()) {
                throw new UnresolvedException("empty separator");
            }
            pieces = replaced(pieces, placeholder, text(name, placeholder, params.get(placeholder)), scope);
        }
        StringBuilder out = new StringBuilder();
        for (Piece piece : pieces) {
            scope.budget().spendText(piece.text.length());
            TextFunctions.requireRoom(out.length() + (long) piece.text.length());
            out.append(piece.text);
        }
        return new Text(out.toString());
    }

    /* A part of the text. Only written parts are searched, not inserted ones. */
    private record Piece(String text, boolean isWritten) {}

    private List<Piece> replaced(List<Piece> pieces, String placeholder, String value, Scope scope) {
        List<Piece> result = new ArrayList<>(pieces.size());
        boolean found = false;
        for (Piece piece : pieces) {
            scope.budget().spend(1 + piece.text.length() / 32);
            int start = 0;
            int at = piece.isWritten ? piece.text.indexOf(placeholder) : -1;
            found |= at >= 0;
            for (; at >= 0; at = piece.text.indexOf(placeholder, start)) {
                if (at > start) {
                    result.add(new Piece(piece.text.substring(start, at), true));
                }
                result.add(new Piece(value, false));
                start = at + placeholder.length();
            }
            if (start == 0) {
                result.add(piece);
            } else if (start < piece.text.length()) {
                result.add(new Piece(piece.text.substring(start), true));
            }
        }
        if (!found && strictness != Strictness.LAX) {
            throw new UnresolvedException("The following params were not found in the template: " + placeholder);
        }
        return result;
    }

    private String text(String name, String placeholder, Value value) {
        boolean container = value instanceof ListValue || value instanceof MapValue;
        if (container && !json) {
            throw new UnresolvedException(
                    "\"" + name + "\" params must be strings or numbers, param " + placeholder + " is not valid");
        }
        String text = value instanceof Null ? "" : container ? PythonText.json(value) : PythonText.str(value);
        boolean empty = container ? !Python.isTrue(value) : text.isEmpty();
        if (empty && strictness == Strictness.VERY_STRICT) {
            throw new UnresolvedException(name + " has an undefined or empty value for param " + placeholder);
        }
        return text;
    }
}
