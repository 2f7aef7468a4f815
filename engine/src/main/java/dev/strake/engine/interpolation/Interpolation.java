package dev.strake.engine.interpolation;

import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.operations.OperationPath;
import dev.strake.engine.operations.OperationPathException;
import dev.strake.engine.operations.TypeName;
import dev.strake.engine.problem.EvaluationException;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Replaces the placeholders {@code ((name))} in the keys and texts of a document by the values of variables, like
 * {@code bosh interpolate}.
 *
 * <p>A text that consists of one placeholder becomes the value, of any kind. In a longer text only texts and integers
 * can be inserted. Placeholders in values stay, except in a longer text that has the same placeholder further right. A
 * placeholder without a variable stays, too. The top-level list {@code variables} holds definitions. A definition is
 * removed from the list if its variable was found.
 *
 * <p>An instance is good for one run: it remembers which variables were used.
 */
public final class Interpolation {

    /* Possessive: the text after a name cannot belong to the name, so backtracking would be useless. */
    private static final Pattern PLACEHOLDER = Pattern.compile("\\(\\( ?!?([-/.\\w\\p{L}]++) ?\\)\\)");

    /** The longest chain of definitions whose options need other variables. Each level traverses a whole tree. */
    private static final int MAX_CHAIN = 16;

    private final Variables variables;
    private final RenderLimits limits;
    private final Map<String, Value> options = new HashMap<>();
    private final Map<String, Value> known = new HashMap<>();
    private final Set<String> asking = new LinkedHashSet<>();
    private final Set<String> incomplete = new HashSet<>();
    private final Set<String> used = new HashSet<>();
    private Set<String> missing = new TreeSet<>();

    private Interpolation(Variables variables, RenderLimits limits) {
        this.variables = variables;
        this.limits = limits;
    }

    /**
     * Replaces the placeholders of a document.
     *
     * @param needsAll whether a placeholder or definition without a variable is an error
     * @param needsUsed whether a variable without a placeholder or definition is an error
     * @throws EvaluationException if a variable is missing, unused or of a kind that does not fit (the message is that
     *     of the tool, without values), or if the result exceeds the limits
     */
    public static Value interpolate(
            Value document, Variables variables, boolean needsAll, boolean needsUsed, RenderLimits limits)
            throws EvaluationException {
        Interpolation run = new Interpolation(variables, limits);
        List<String> definitions = run.define(document);
        Value result = run.without(definitions, run.interpolated(document));
        run.report(needsAll, needsUsed);
        limits.check(result);
        return result;
    }

    /* Reads the definitions and looks up the variables of those with a type, in order. Returns the names of all. */
    private List<String> define(Value document) throws EvaluationException {
        Value section = document instanceof MapValue map ? map.get("variables") : null;
        if (section == null || section instanceof Null) {
            return List.of();
        }
        if (!(section instanceof ListValue definitions)) {
            throw failed(
                    "Expected the variables of the document to be a list of definitions but found " + section.kind());
        }
        List<String> names = new ArrayList<>();
        List<String> typed = new ArrayList<>();
        for (Value item : definitions.items()) {
            if (!(item instanceof MapValue definition)) {
                throw failed("Expected a definition of a variable to be a map but found " + item.kind());
            }
            String name = field(definition, "name");
            names.add(name);
            options.putIfAbsent(name, definition.has("options") ? definition.get("options") : Null.NULL);
            if (!field(definition, "type").isEmpty()) {
                typed.add(name);
            }
        }
        for (String name : typed) {
            variable(name);
        }
        return names;
    }

    private static String field(MapValue definition, String name) throws EvaluationException {
        Value value = definition.get(name);
        if (value == null) {
            return "";
        }
        String text = asKey(value);
        if (text == null) {
            throw failed(
                    "Expected the " + name + " of a definition of a variable to be a text but found " + value.kind());
        }
        return text;
    }

    private Value without(List<String> definitions, Value result) throws EvaluationException {
        Set<String> found = new HashSet<>();
        for (String name : definitions) {
            if (variable(name) != null) {
                found.add(name);
            }
        }
        if (found.isEmpty() || !(result instanceof MapValue map) || !(map.get("variables") instanceof ListValue list)) {
            return result;
        }
        List<Value> left = list.items().stream()
                .filter(item -> !(item instanceof MapValue definition
                        && definition.get("name") instanceof Text name
                        && found.contains(name.value())))
                .toList();
        return map.with("variables", ListValue.of(left));
    }

    private void report(boolean needsAll, boolean needsUsed) throws EvaluationException {
        List<String> complaints = new ArrayList<>();
        if (needsAll && !missing.isEmpty()) {
            complaints.add("Expected to find variables: " + String.join("\n", missing));
        }
        Set<String> unused = new TreeSet<>(variables.values().keys());
        unused.removeAll(used);
        if (needsUsed && !unused.isEmpty()) {
            complaints.add("Expected to use variables: " + String.join("\n", unused));
        }
        if (!complaints.isEmpty()) {
            throw failed(String.join("\n", complaints));
        }
    }

    private Value interpolated(Value value) throws EvaluationException {
        if (value instanceof Text text) {
            return filled(text);
        }
        if (value instanceof ListValue list) {
            Value[] items = null; // copied when the first item differs
            for (int i = 0; i < list.size(); i++) {
                Value item = interpolated(list.get(i));
                if (items == null && item != list.get(i)) {
                    items = list.items().toArray(Value[]::new);
                }
                if (items != null) {
                    items[i] = item;
                }
            }
            return items == null ? list : ListValue.of(items);
        }
        return value instanceof MapValue map ? interpolated(map) : value;
    }

    private MapValue interpolated(MapValue map) throws EvaluationException {
        MapValue.Builder builder = MapValue.builder();
        boolean changed = false;
        Map<String, String> origins = new HashMap<>();
        for (int i = 0; i < map.size(); i++) {
            Value value = interpolated(map.valueAt(i));
            String key = key(map.keyAt(i));
            String other = origins.putIfAbsent(key, map.keyAt(i));
            if (other != null) {
                throw failed(
                        "Expected different map keys but '" + other + "' and '" + map.keyAt(i) + "' become the same");
            }
            changed |= value != map.valueAt(i) || !key.equals(map.keyAt(i));
            builder.put(key, value);
        }
        return changed ? builder.build() : map;
    }

    private String key(String key) throws EvaluationException {
        if (!key.contains("((")) {
            return key;
        }
        Value value = filled(new Text(key));
        String text = asKey(value);
        if (text == null) {
            throw failed("Expected a map key to become a text but '" + key + "' becomes a " + value.kind());
        }
        return text;
    }

    /* Scalars used as keys become their literal text. Java's null for a map or a list. */
    private static String asKey(Value value) {
        if (value instanceof Text text) {
            return text.value();
        }
        if (value instanceof Num num) {
            return num.literal();
        }
        if (value instanceof Bool bool) {
            return String.valueOf(bool.value());
        }
        return value instanceof Null ? "null" : null;
    }

    /* Replaces name by name, from left to right: a later name is also replaced in the values inserted before. */
    private Value filled(Text original) throws EvaluationException {
        String text = original.value();
        Matcher placeholders = PLACEHOLDER.matcher(text);
        if (!placeholders.find()) {
            return original;
        }
        List<String> names = new ArrayList<>();
        do {
            names.add(placeholders.group(1));
        } while (placeholders.find());
        for (String name : names) {
            Value value = lookUp(name);
            if (value == null) {
                continue;
            }
            if (PLACEHOLDER.matcher(text).matches()) {
                return value;
            }
            if (!(value instanceof Text) && !(value instanceof Num num && num.isInteger())) {
                throw failed("Invalid type '" + TypeName.of(value) + "' for value '<redacted>' and variable '" + name
                        + "'. Supported types for interpolation within a string are integers and strings.");
            }
            String inserted = asKey(value);
            text = replaced(replaced(text, "((" + name + "))", inserted), "((!" + name + "))", inserted);
        }
        return text.equals(original.value()) ? original : new Text(text);
    }

    /* A variable that contains its own placeholder can double a text with each name. So the length is checked first. */
    private String replaced(String text, String placeholder, String by) throws EvaluationException {
        long length = text.length();
        for (int at = text.indexOf(placeholder); at >= 0; at = text.indexOf(placeholder, at + placeholder.length())) {
            length += by.length() - placeholder.length();
        }
        if (length > limits.bytes()) {
            throw new EvaluationException(
                    ProblemCode.LIMIT_EXCEEDED,
                    null,
                    "the variables make a text longer than " + limits.bytes() + " bytes",
                    "look for a variable that contains its own placeholder",
                    null);
        }
        return text.replace(placeholder, by);
    }

    private Value lookUp(String name) throws EvaluationException {
        String[] parts = name.split("\\.", -1);
        Value value = variable(parts[0]);
        if (value == null || parts.length == 1) {
            return value;
        }
        List<String> below = List.of(parts).subList(1, parts.length);
        try {
            try {
                return OperationPath.ofNames(below, true).find(value, limits.budget());
            } catch (OperationPathException e) {
                return OperationPath.ofNames(below, false)
                        .find(value, limits.budget()); // digits may be the key of a map
            }
        } catch (OperationPathException e) {
            throw failed("Finding variable '" + name + "': " + e.getMessage());
        }
    }

    /* The value of a variable, or null. A variable has no value if a variable in its options is missing. */
    private Value variable(String name) throws EvaluationException {
        used.add(name);
        if (!known.containsKey(name)) {
            if (!asking.add(name)) {
                throw failed("Detected recursion: the options of variable '" + name + "' need the variable itself");
            }
            if (asking.size() > MAX_CHAIN) {
                throw failed("Expected at most " + MAX_CHAIN + " variables that need each other for their options");
            }
            Set<String> outer = missing;
            missing = new TreeSet<>();
            interpolated(options.getOrDefault(name, Null.NULL));
            if (!missing.isEmpty()) {
                incomplete.add(name);
            }
            missing = outer;
            asking.remove(name);
            known.put(
                    name, incomplete.contains(name) ? null : variables.values().get(name));
        }
        Value value = known.get(name);
        if (value == null && !incomplete.contains(name)) {
            missing.add(name); // for an incomplete variable, the tool reports only what its options lack
        }
        return value;
    }

    private static EvaluationException failed(String message) {
        return new EvaluationException(ProblemCode.INTERPOLATION_FAILED, null, message, null, null);
    }
}
