package dev.strake.heat.yaql;

import static dev.strake.heat.yaql.Operands.at;
import static dev.strake.heat.yaql.Operands.items;
import static dev.strake.heat.yaql.Operands.requireRoom;
import static dev.strake.heat.yaql.Operands.text;
import static dev.strake.heat.yaql.Operands.unknown;

import dev.strake.engine.limit.Budget;
import dev.strake.engine.pattern.TextPattern;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.heat.python.PythonText;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Methods of texts and of regular expressions. */
final class TextMethods {

    /** The key of a regular expression in its mapping. YAML forbids NUL, so no document contains the key. */
    private static final String REGEX = "\0regex";

    private TextMethods() {}

    static Value regex(Value pattern) {
        return MapValue.of(REGEX, pattern);
    }

    static boolean isRegex(Value value) {
        return value instanceof MapValue map && map.has(REGEX);
    }

    static Value call(Value receiver, String name, List<Value> arguments, Budget budget) {
        return switch (name) {
            case "toLower" -> new Text(text(receiver).toLowerCase(Locale.ROOT));
            case "toUpper" -> new Text(text(receiver).toUpperCase(Locale.ROOT));
            case "trim" -> new Text(text(receiver).strip());
            case "startsWith" ->
                Bool.of(arguments.stream().anyMatch(part -> text(receiver).startsWith(text(part))));
            case "endsWith" ->
                Bool.of(arguments.stream().anyMatch(part -> text(receiver).endsWith(text(part))));
            case "replace" -> replaced(text(receiver), text(at(arguments, 0, name)), text(at(arguments, 1, name)));
            case "format" -> format(text(receiver), arguments);
            case "join" -> join(receiver, at(arguments, 0, name));
            case "split" -> split(text(receiver), arguments, false);
            case "rightSplit" -> split(text(receiver), arguments, true);
            case "matches" -> Bool.of(matches(receiver, at(arguments, 0, name), budget));
            default -> throw unknown(name);
        };
    }

    private static Value replaced(String text, String old, String by) {
        if (old.isEmpty()) {
            throw new YaqlException("replace needs a text to search for");
        }
        long places = text.split(Pattern.quote(old), -1).length - 1L;
        requireRoom(text.length() + places * by.length());
        return new Text(text.replace(old, by));
    }

    /* Replaces {0}, {1}, and each {} in turn. */
    private static Value format(String format, List<Value> arguments) {
        StringBuilder out = new StringBuilder();
        int next = 0;
        for (int i = 0; i < format.length(); i++) {
            char c = format.charAt(i);
            int close = c == '{' ? format.indexOf('}', i) : -1;
            if (close < 0) {
                out.append(c);
                continue;
            }
            String inner = format.substring(i + 1, close);
            if (!inner.matches("[0-9]{0,4}")) {
                throw new YaqlException("format supports only numbered placeholders");
            }
            Value argument = at(arguments, inner.isEmpty() ? next++ : Integer.parseInt(inner), "format");
            requireRoom(out.length() + argument.weight());
            out.append(PythonText.str(argument));
            i = close;
        }
        return new Text(out.toString());
    }

    /* Accepts both list.join(text) and text.join(list). */
    private static Value join(Value receiver, Value argument) {
        Value list = receiver instanceof Text ? argument : receiver;
        Value delimiter = receiver instanceof Text ? receiver : argument;
        List<Value> items = items(list);
        requireRoom(list.weight() + (long) items.size() * text(delimiter).length());
        return new Text(
                String.join(text(delimiter), items.stream().map(PythonText::str).toList()));
    }

    private static Value split(String text, List<Value> arguments, boolean fromRight) {
        String by = arguments.isEmpty() ? " " : text(arguments.get(0));
        int most = arguments.size() > 1 && arguments.get(1) instanceof Num num ? num.nearestInt() : -1;
        if (by.isEmpty()) {
            throw new YaqlException("empty separator");
        }
        List<Value> parts = new ArrayList<>();
        String rest = text;
        while (most < 0 || parts.size() < most) {
            int at = fromRight ? rest.lastIndexOf(by) : rest.indexOf(by);
            if (at < 0) {
                break;
            }
            parts.add(new Text(fromRight ? rest.substring(at + by.length()) : rest.substring(0, at)));
            rest = fromRight ? rest.substring(0, at) : rest.substring(at + by.length());
        }
        parts.add(new Text(rest));
        if (fromRight) {
            Collections.reverse(parts);
        }
        return ListValue.of(parts);
    }

    /** Calls a method of a regular expression. */
    static Value ofRegex(Value regex, String name, Value argument, Budget budget) {
        TextPattern pattern = compiled(text(((MapValue) regex).get(REGEX)));
        String text = text(argument);
        return switch (name) {
            case "matches" -> Bool.of(pattern.search(text, 0, 0, budget) != null);
            case "split" -> regexSplit(pattern, text, budget);
            default -> throw unknown(name + " of regex");
        };
    }

    /* Splits as Python's re.split: the groups of each match are inserted between the parts. */
    private static Value regexSplit(TextPattern pattern, String text, Budget budget) {
        List<Value> parts = new ArrayList<>();
        int from = 0;
        while (from <= text.length()) {
            TextPattern.Match match = pattern.search(text, from, 0, budget);
            if (match == null || match.end() == match.start()) {
                break;
            }
            parts.add(new Text(text.substring(from, match.start())));
            for (int group = 1; group <= pattern.groups(); group++) {
                TextPattern.Match inner = pattern.search(text, from, group, budget);
                parts.add(inner.group() == null ? Null.NULL : new Text(inner.group()));
            }
            from = match.end();
        }
        parts.add(new Text(text.substring(from)));
        return ListValue.of(parts);
    }

    static boolean matches(Value text, Value pattern, Budget budget) {
        String written = text(isRegex(pattern) ? ((MapValue) pattern).get(REGEX) : pattern);
        return compiled(written).search(text(text), 0, 0, budget) != null;
    }

    private static TextPattern compiled(String pattern) {
        try {
            return TextPattern.of(pattern);
        } catch (IllegalArgumentException e) {
            throw new YaqlException(e.getMessage());
        }
    }
}
