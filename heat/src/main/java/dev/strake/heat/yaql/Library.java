package dev.strake.heat.yaql;

import static dev.strake.heat.yaql.Operands.at;
import static dev.strake.heat.yaql.Operands.items;
import static dev.strake.heat.yaql.Operands.pairs;
import static dev.strake.heat.yaql.Operands.requireRoom;
import static dev.strake.heat.yaql.Operands.text;
import static dev.strake.heat.yaql.Operands.unknown;

import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.heat.python.Python;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The functions of expressions. A method is a function whose first argument is written before the dot. */
final class Library {

    /** Functions whose named arguments are distinguished by name. */
    private static final Set<String> NAMED = Set.of("first", "last", "dict");

    private Library() {}

    static Value call(Yaql.Run run, YaqlNode.Call call, Map<String, Value> variables) {
        List<YaqlNode> nodes = new ArrayList<>();
        Map<String, YaqlNode> named = new LinkedHashMap<>();
        for (int i = 0; i < call.arguments().size(); i++) {
            if (call.names().get(i) == null) {
                nodes.add(call.arguments().get(i));
            } else {
                named.put(call.names().get(i), call.arguments().get(i));
            }
        }
        if (!NAMED.contains(call.name())) {
            nodes.addAll(named.values()); // the names only repeat the order of the arguments
        }
        if (call.receiver() == null) {
            return function(run, call.name(), nodes, named, variables);
        }
        Value receiver = run.value(call.receiver(), variables);
        if (call.safe() && receiver instanceof Null) {
            return Null.NULL;
        }
        return method(run, receiver, call.name(), nodes, named, variables);
    }

    private static Value function(
            Yaql.Run run,
            String name,
            List<YaqlNode> nodes,
            Map<String, YaqlNode> named,
            Map<String, Value> variables) {
        switch (name) {
            case "coalesce" -> {
                for (YaqlNode node : nodes) {
                    Value value = run.value(node, variables);
                    if (!(value instanceof Null)) {
                        return value;
                    }
                }
                return Null.NULL;
            }
            case "switch" -> {
                for (YaqlNode node : nodes) {
                    if (node instanceof YaqlNode.Binary pair && pair.operator().equals("=>")) {
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
                for (YaqlNode node : nodes) {
                    String part = text(run.value(node, variables));
                    requireRoom((long) text.length() + part.length());
                    text.append(part);
                }
                return new Text(text.toString());
            }
            case "regex" -> {
                return TextMethods.regex(run.value(at(nodes, 0, name), variables));
            }
            default -> {
                Value first = run.value(at(nodes, 0, name), variables);
                return method(run, first, name, nodes.subList(1, nodes.size()), named, variables);
            }
        }
    }

    private static Value method(
            Yaql.Run run,
            Value receiver,
            String name,
            List<YaqlNode> nodes,
            Map<String, YaqlNode> named,
            Map<String, Value> variables) {
        if (TextMethods.isRegex(receiver)) {
            return TextMethods.ofRegex(receiver, name, run.value(at(nodes, 0, name), variables), run.budget());
        }
        return switch (name) {
            case "where", "filter" -> {
                List<Value> kept = new ArrayList<>();
                for (Value item : items(receiver)) {
                    if (Python.isTrue(run.value(at(nodes, 0, name), with(variables, item)))) {
                        kept.add(item);
                    }
                }
                yield ListValue.of(kept);
            }
            case "select", "map" -> {
                List<Value> made = new ArrayList<>();
                for (Value item : items(receiver)) {
                    made.add(run.value(at(nodes, 0, name), with(variables, item)));
                }
                yield ListValue.of(made);
            }
            case "selectMany" -> {
                List<Value> made = new ArrayList<>();
                for (Value item : items(receiver)) {
                    Value value = run.value(at(nodes, 0, name), with(variables, item));
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
                String key = text(run.value(at(nodes, 0, name), variables));
                if (!(receiver instanceof MapValue map)) {
                    throw new YaqlException("get works only on mappings");
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
                    result = run.value(at(nodes, 0, name), both);
                }
                yield result == null ? Null.NULL : result;
            }
            default -> Methods.call(receiver, name, values(run, nodes, variables), run.budget());
        };
    }

    private static List<Value> values(Yaql.Run run, List<YaqlNode> nodes, Map<String, Value> variables) {
        return nodes.stream().map(node -> run.value(node, variables)).toList();
    }

    private static Value end(
            Yaql.Run run,
            Value receiver,
            String name,
            List<YaqlNode> nodes,
            Map<String, YaqlNode> named,
            Map<String, Value> variables) {
        List<Value> all = items(receiver);
        if (!all.isEmpty()) {
            return name.equals("first") ? all.get(0) : all.get(all.size() - 1);
        }
        YaqlNode otherwise = nodes.isEmpty() ? named.get("default") : nodes.get(0);
        if (otherwise == null) {
            throw new YaqlException("there is no " + name + " item");
        }
        return run.value(otherwise, variables);
    }

    static Map<String, Value> let(Yaql.Run run, YaqlNode left, Map<String, Value> variables) {
        Map<String, Value> more = new HashMap<>(variables);
        if (left instanceof YaqlNode.Call call
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
}
