package dev.strake.engine.template.yaql;

import dev.strake.engine.limit.Budget;
import dev.strake.engine.pattern.TextPattern;
import dev.strake.engine.template.python.Python;
import dev.strake.engine.template.python.PythonText;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** The functions of expressions. A method is a function whose first argument stands before the dot. */
final class Library {

    /** The key under which a regular expression is kept: one that no document can have, because it is no text of YAML. */
    private static final String REGEX = "\0regex";

    /** Functions that tell their arguments by their names. */
    private static final Set<String> NAMED = Set.of("first", "last", "dict");

    private Library() {}

    static Value call(Yaql.Run run, Node.Call call, Map<String, Value> variables) {
        List<Node> nodes = new ArrayList<>();
        Map<String, Node> named = new LinkedHashMap<>();
        for (int i = 0; i < call.arguments().size(); i++) {
            if (call.names().get(i) == null) {
                nodes.add(call.arguments().get(i));
            } else {
                named.put(call.names().get(i), call.arguments().get(i));
            }
        }
        if (!NAMED.contains(call.name())) {
            nodes.addAll(named.values()); // the names of their arguments only repeat their order
        }
        if (call.receiver() == null) {
            return function(run, call.name(), nodes, named, variables);
        }
        Value receiver = run.value(call.receiver(), variables);
        if (call.safe() && receiver == Null.NULL) {
            return Null.NULL;
        }
        return method(run, receiver, call.name(), nodes, named, variables);
    }

    private static Value function(
            Yaql.Run run, String name, List<Node> nodes, Map<String, Node> named, Map<String, Value> variables) {
        switch (name) {
            case "coalesce" -> {
                for (Node node : nodes) {
                    Value value = run.value(node, variables);
                    if (value != Null.NULL) {
                        return value;
                    }
                }
                return Null.NULL;
            }
            case "switch" -> {
                for (Node node : nodes) {
                    if (node instanceof Node.Binary pair && pair.operator().equals("=>")) {
                        if (Python.isTrue(run.value(pair.left(), variables))) {
                            return run.value(pair.right(), variables);
                        }
                    }
                }
                throw unknown(name);
            }
            case "list" -> {
                return ListValue.of(
                        nodes.stream().map(node -> run.value(node, variables)).toList());
            }
            case "dict" -> {
                MapValue.Builder map = MapValue.builder();
                if (!nodes.isEmpty()) {
                    pairs(run.value(nodes.get(0), variables)).forEach(map::put);
                }
                named.forEach((key, node) -> map.put(key, run.value(node, variables)));
                return map.build();
            }
            case "concat" -> {
                StringBuilder text = new StringBuilder();
                nodes.forEach(node -> text.append(text(run.value(node, variables))));
                return new Text(text.toString());
            }
            case "regex" -> {
                return MapValue.of(REGEX, run.value(argument(nodes, 0, name), variables));
            }
            default -> {
                Value first = run.value(argument(nodes, 0, name), variables);
                return method(run, first, name, nodes.subList(1, nodes.size()), named, variables);
            }
        }
    }

    private static Value method(
            Yaql.Run run,
            Value receiver,
            String name,
            List<Node> nodes,
            Map<String, Node> named,
            Map<String, Value> variables) {
        if (receiver instanceof MapValue regex && regex.has(REGEX)) {
            return ofRegex(run, text(regex.get(REGEX)), name, argument(nodes, 0, name), variables);
        }
        return switch (name) {
            case "where", "filter" -> {
                List<Value> kept = new ArrayList<>();
                for (Value item : items(receiver)) {
                    if (Python.isTrue(run.value(argument(nodes, 0, name), with(variables, item)))) {
                        kept.add(item);
                    }
                }
                yield ListValue.of(kept);
            }
            case "select", "map" -> {
                List<Value> made = new ArrayList<>();
                for (Value item : items(receiver)) {
                    made.add(run.value(argument(nodes, 0, name), with(variables, item)));
                }
                yield ListValue.of(made);
            }
            case "selectMany" -> {
                List<Value> made = new ArrayList<>();
                for (Value item : items(receiver)) {
                    Value value = run.value(argument(nodes, 0, name), with(variables, item));
                    made.addAll(value instanceof ListValue list ? list.items() : List.of(value));
                }
                yield ListValue.of(made);
            }
            case "any" ->
                Bool.of(items(receiver).stream()
                        .anyMatch(item ->
                                nodes.isEmpty() || Python.isTrue(run.value(nodes.get(0), with(variables, item)))));
            case "all" ->
                Bool.of(items(receiver).stream()
                        .allMatch(item -> Python.isTrue(
                                nodes.isEmpty() ? item : run.value(nodes.get(0), with(variables, item)))));
            case "first", "last" -> end(run, receiver, name, nodes, named, variables);
            case "get" -> {
                String key = text(run.value(argument(nodes, 0, name), variables));
                if (!(receiver instanceof MapValue map)) {
                    throw new YaqlException("get works on mappings");
                }
                yield map.has(key) ? map.get(key) : nodes.size() > 1 ? run.value(nodes.get(1), variables) : Null.NULL;
            }
            case "reduce", "aggregate" -> {
                List<Value> all = items(receiver);
                Value result = nodes.size() > 1 ? run.value(nodes.get(1), variables) : null;
                for (Value item : all) {
                    if (result == null) {
                        result = item;
                        continue;
                    }
                    Map<String, Value> both = new HashMap<>(variables);
                    both.put("1", result);
                    both.put("2", item);
                    both.put("", result);
                    result = run.value(argument(nodes, 0, name), both);
                }
                yield result == null ? Null.NULL : result;
            }
            default -> plain(run, receiver, name, values(run, nodes, variables));
        };
    }

    private static List<Value> values(Yaql.Run run, List<Node> nodes, Map<String, Value> variables) {
        return nodes.stream().map(node -> run.value(node, variables)).toList();
    }

    /* Methods whose arguments are values. */
    private static Value plain(Yaql.Run run, Value receiver, String name, List<Value> arguments) {
        run.budget().spendJson(receiver);
        return switch (name) {
            case "str" -> new Text(PythonText.str(receiver));
            case "int" -> Num.ofLiteral(floor(decimal(receiver)).toString());
            case "len" ->
                Num.of(
                        receiver instanceof Text text
                                ? text.value().length()
                                : items(receiver).size());
            case "isEmpty" -> Bool.of(items(receiver).isEmpty());
            case "bool" -> Bool.of(Python.isTrue(receiver));
            case "not" -> Bool.of(!Python.isTrue(receiver));
            case "isList" -> Bool.of(receiver instanceof ListValue);
            case "isDict" -> Bool.of(receiver instanceof MapValue);
            case "isString" -> Bool.of(receiver instanceof Text);
            case "isNumber", "isInteger" -> Bool.of(receiver instanceof Num);
            case "isBoolean" -> Bool.of(receiver instanceof Bool);
            case "keys" ->
                ListValue.of(map(receiver).keys().stream().map(Text::new).toList());
            case "values" -> {
                MapValue map = map(receiver);
                List<Value> all = new ArrayList<>();
                map.forEach((key, value) -> all.add(value));
                yield ListValue.of(all);
            }
            case "items" -> {
                List<Value> all = new ArrayList<>();
                map(receiver).forEach((key, value) -> all.add(ListValue.of(new Text(key), value)));
                yield ListValue.of(all);
            }
            case "toList" -> ListValue.of(items(receiver));
            case "containsKey" -> Bool.of(map(receiver).has(text(Library.<Value>at(arguments, 0, name))));
            case "contains" -> Bool.of(contains(receiver, at(arguments, 0, name), run.budget()));
            case "flatten" -> {
                List<Value> all = new ArrayList<>();
                flatten(receiver, all);
                yield ListValue.of(all);
            }
            case "distinct" -> {
                List<Value> kept = new ArrayList<>();
                for (Value item : items(receiver)) {
                    run.budget().spend(kept.size());
                    if (kept.stream().noneMatch(other -> Python.equal(other, item))) {
                        kept.add(item);
                    }
                }
                yield ListValue.of(kept);
            }
            case "reverse" -> {
                List<Value> all = new ArrayList<>(items(receiver));
                Collections.reverse(all);
                yield ListValue.of(all);
            }
            case "orderBy", "order" -> {
                List<Value> all = new ArrayList<>(items(receiver));
                all.sort(Library::compare);
                yield ListValue.of(all);
            }
            case "sum" -> {
                BigDecimal sum = BigDecimal.ZERO;
                for (Value item : items(receiver)) {
                    sum = sum.add(decimal(item));
                }
                yield number(sum, Num.of(0), Num.of(0));
            }
            case "max" -> items(receiver).stream().max(Library::compare).orElse(Null.NULL);
            case "min" -> items(receiver).stream().min(Library::compare).orElse(Null.NULL);
            case "append" -> {
                List<Value> all = new ArrayList<>(items(receiver));
                all.addAll(arguments);
                yield ListValue.of(all);
            }
            case "set" -> map(receiver).with(text(at(arguments, 0, name)), at(arguments, 1, name));
            case "mergeWith" -> map(receiver).mergedWith(map(at(arguments, 0, name)), run.budget()::spend);
            default -> ofText(run, receiver, name, arguments);
        };
    }

    private static Value ofText(Yaql.Run run, Value receiver, String name, List<Value> arguments) {
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
            case "matches" -> Bool.of(matches(receiver, at(arguments, 0, name), run.budget()));
            default -> throw unknown(name);
        };
    }

    private static Value replaced(String text, String old, String by) {
        if (old.isEmpty()) {
            throw new YaqlException("replace needs a text to look for");
        }
        long places = text.split(Pattern.quote(old), -1).length - 1L;
        if (text.length() + places * by.length() > 8L << 20) {
            throw new YaqlException("a text grows beyond 8 MiB");
        }
        return new Text(text.replace(old, by));
    }

    /* {0}, {1}, and {} in turn. */
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
                throw new YaqlException("format only knows places by their number");
            }
            out.append(PythonText.str(at(arguments, inner.isEmpty() ? next++ : Integer.parseInt(inner), "format")));
            i = close;
        }
        return new Text(out.toString());
    }

    /* list.join(text) and text.join(list). */
    private static Value join(Value receiver, Value argument) {
        Value list = receiver instanceof Text ? argument : receiver;
        Value delimiter = receiver instanceof Text ? receiver : argument;
        return new Text(String.join(
                text(delimiter), items(list).stream().map(PythonText::str).toList()));
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

    private static Value ofRegex(
            Yaql.Run run, String pattern, String name, Node argument, Map<String, Value> variables) {
        String text = text(run.value(argument, variables));
        return switch (name) {
            case "matches" -> Bool.of(compiled(pattern).search(text, 0, 0, run.budget()) != null);
            case "split" -> regexSplit(compiled(pattern), text, run.budget());
            case "replace" -> throw unknown("replace of regex");
            default -> throw unknown(name + " of regex");
        };
    }

    /* As Python's re.split: the groups of each match stand between the parts. */
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
        String written = pattern instanceof MapValue regex && regex.has(REGEX) ? text(regex.get(REGEX)) : text(pattern);
        return compiled(written).search(text(text), 0, 0, budget) != null;
    }

    private static TextPattern compiled(String pattern) {
        try {
            return TextPattern.of(pattern);
        } catch (IllegalArgumentException e) {
            throw new YaqlException(e.getMessage());
        }
    }

    private static Value end(
            Yaql.Run run,
            Value receiver,
            String name,
            List<Node> nodes,
            Map<String, Node> named,
            Map<String, Value> variables) {
        List<Value> all = items(receiver);
        if (!all.isEmpty()) {
            return name.equals("first") ? all.get(0) : all.get(all.size() - 1);
        }
        Node otherwise = nodes.isEmpty() ? named.get("default") : nodes.get(0);
        if (otherwise == null) {
            throw new YaqlException("there is no " + name + " item");
        }
        return run.value(otherwise, variables);
    }

    /** The variables of {@code let(name => value) ->}. */
    static Map<String, Value> let(Yaql.Run run, Node left, Map<String, Value> variables) {
        Map<String, Value> more = new HashMap<>(variables);
        if (left instanceof Node.Call call
                && call.receiver() == null
                && call.name().equals("let")) {
            int position = 1;
            for (int i = 0; i < call.arguments().size(); i++) {
                String name = call.names().get(i);
                Value value = run.value(call.arguments().get(i), variables);
                more.put(name == null ? String.valueOf(position++) : name, value);
            }
            return more;
        }
        more.put("", run.value(left, variables));
        return more;
    }

    private static Map<String, Value> with(Map<String, Value> variables, Value item) {
        Map<String, Value> more = new HashMap<>(variables);
        more.put("", item);
        more.put("1", item);
        return more;
    }

    private static List<Value> items(Value value) {
        if (value instanceof ListValue list) {
            return list.items();
        }
        if (value instanceof MapValue map) {
            return map.keys().stream().<Value>map(Text::new).toList();
        }
        if (value instanceof Text text && text.value().isEmpty()) {
            return List.of();
        }
        throw new YaqlException("a " + value.kind() + " has no items");
    }

    private static void flatten(Value value, List<Value> into) {
        for (Value item : items(value)) {
            if (item instanceof ListValue) {
                flatten(item, into);
            } else {
                into.add(item);
            }
        }
    }

    private static MapValue pairs(Value list) {
        MapValue.Builder map = MapValue.builder();
        if (list instanceof MapValue already) {
            return already;
        }
        for (Value item : items(list)) {
            List<Value> pair = items(item);
            if (pair.size() != 2) {
                throw new YaqlException("dict takes pairs of a key and a value");
            }
            map.put(text(pair.get(0)), pair.get(1));
        }
        return map.build();
    }

    private static MapValue map(Value value) {
        if (value instanceof MapValue map) {
            return map;
        }
        throw new YaqlException("a " + value.kind() + " has no keys");
    }

    static String text(Value value) {
        if (value instanceof Text text) {
            return text.value();
        }
        if (value instanceof Num || value instanceof Bool) {
            return PythonText.str(value);
        }
        throw new YaqlException("a " + value.kind() + " is no text");
    }

    static boolean contains(Value in, Value what, Budget budget) {
        if (in instanceof Text text && what instanceof Text part) {
            budget.spendText(text.value().length());
            return text.value().contains(part.value());
        }
        List<Value> items = items(in);
        budget.spend(items.size());
        return items.stream().anyMatch(item -> Python.equal(item, what));
    }

    static int compare(Value one, Value other) {
        if (one instanceof Text a && other instanceof Text b) {
            return a.value().compareTo(b.value());
        }
        return decimal(one).compareTo(decimal(other));
    }

    static BigDecimal decimal(Value value) {
        BigDecimal number = null;
        if (value instanceof Num num) {
            number = Python.decimal(num);
        } else if (value instanceof Bool bool) {
            number = bool.value() ? BigDecimal.ONE : BigDecimal.ZERO;
        } else if (value instanceof Text text) {
            try {
                number = Python.decimal(Python.number(text.value()));
            } catch (IllegalArgumentException e) {
                throw new YaqlException(e.getMessage());
            }
        }
        if (number == null) {
            throw new YaqlException("a " + value.kind() + " is no number");
        }
        return number;
    }

    static BigInteger floor(BigDecimal number) {
        return number.setScale(0, RoundingMode.FLOOR).toBigInteger();
    }

    /** A number that came out of two others: an integer if both are. */
    static Num number(BigDecimal number, Value one, Value other) {
        boolean integers = one instanceof Num a && a.isInteger() && other instanceof Num b && b.isInteger();
        String plain = number.toPlainString();
        if (plain.length() > 400) {
            throw new YaqlException("a number grows beyond 400 digits");
        }
        return Num.ofLiteral(integers || plain.indexOf('.') >= 0 ? plain : plain + ".0");
    }

    private static Node argument(List<Node> nodes, int index, String name) {
        return at(nodes, index, name);
    }

    private static <T> T at(List<T> list, int index, String name) {
        if (index >= list.size()) {
            throw new YaqlException("the function " + name + " needs more arguments");
        }
        return list.get(index);
    }

    private static YaqlException unknown(String name) {
        return new YaqlException("the function " + name + " is not worked out here");
    }
}
