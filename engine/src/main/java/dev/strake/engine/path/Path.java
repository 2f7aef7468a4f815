package dev.strake.engine.path;

import dev.strake.engine.limit.Budget;
import dev.strake.engine.path.Step.Field;
import dev.strake.engine.path.Step.Index;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A compiled path into a document's data, after Deckhand (which reads paths with the plain grammar of jsonpath-ng).
 *
 * <p>Reading takes the first match. Writing goes to every match; where there is none, the missing parts are created,
 * maps for names and lists for indexes, lists padded with empty maps. All operations return new trees that share
 * what they did not touch. Unlike Deckhand, creation works on the steps and not on the text of the path, so quoted
 * names and nested lists can be created too.
 */
public final class Path {

    /** The data as a whole. */
    public static final Path ROOT = new Path(".", List.of());

    private final String text;
    private final List<Step> steps;

    private Path(String text, List<Step> steps) {
        this.text = text;
        this.steps = steps;
    }

    /** The path of a substitution's source, or of anything else that is read. */
    public static Path of(String text) throws PathSyntaxException {
        return new Path(text, new PathParser(text, text).parse());
    }

    /** The path of a substitution's destination: has to start at the root. */
    public static Path ofDestination(String text) throws PathSyntaxException {
        if (!text.startsWith(".") && !text.startsWith("$.") && !text.equals("$")) {
            throw new PathSyntaxException(text, 0, "a destination has to start with a dot");
        }
        return of(text);
    }

    /**
     * The path of a layering action: {@code .data} in front is cut off, but only where the name ends there, and a
     * leading dot may be left out.
     */
    public static Path ofAction(String text) throws PathSyntaxException {
        String rest = text;
        for (String prefix : List.of("$.data", ".data")) {
            if (text.startsWith(prefix)) {
                char next = text.length() == prefix.length() ? '.' : text.charAt(prefix.length());
                if (next == '.' || next == '[') {
                    rest = text.substring(prefix.length());
                }
                break;
            }
        }
        if (!rest.startsWith(".") && !rest.startsWith("$")) {
            rest = "." + rest;
        }
        return new Path(text, new PathParser(text, rest).parse());
    }

    /**
     * Whether the author wrote the root as {@code $}. For Deckhand's layering that is not quite the same as a dot.
     */
    public boolean isDollar() {
        return steps.isEmpty() && text.equals("$");
    }

    /** Whether this is the whole of the data. */
    public boolean isRoot() {
        return steps.isEmpty();
    }

    /** The first value at this path, or Java's null if there is none. */
    public Value first(Value root, Budget budget) {
        Value current = root;
        for (int i = 0; i < steps.size() && current != null; i++) {
            Step step = steps.get(i);
            if (step instanceof Field field) {
                current = current instanceof MapValue map ? map.get(field.name()) : null;
            } else if (step.isSingle()) {
                Value[] found = new Value[1];
                step.visit(current, value -> (found[0] = value) != null);
                current = found[0];
            } else {
                return firstBelow(current, i);
            }
        }
        return current;
    }

    private Value firstBelow(Value from, int i) {
        if (i == steps.size()) {
            return from;
        }
        Value[] found = new Value[1];
        steps.get(i).visit(from, value -> (found[0] = firstBelow(value, i + 1)) != null);
        return found[0];
    }

    /**
     * The tree with a value written to every match of this path, or to the place created for it.
     *
     * @param budget says how far beyond the end of a list an index may reach; the list is padded up to it
     * @throws PathConflictException if something on the way is no container, or an index is out of reach
     */
    public Value write(Value root, Value value, Budget budget) throws PathConflictException {
        if (first(root, budget) != null) {
            Value written = update(root, 0, old -> value);
            if (first(written, budget) != value) { // an index into a text can be read, but texts have no places
                throw new PathConflictException("the place is a character of a text and cannot be written");
            }
            return written;
        }
        for (Step step : steps) {
            if (!step.isSingle()) {
                throw new PathConflictException(
                        "nothing is there, and a path with *, .. or several names creates nothing");
            }
        }
        return create(root, 0, value, budget.padding());
    }

    /**
     * The tree without the values at this path; Java's null if there are none. At the root this is an empty map.
     */
    public Value remove(Value root, Budget budget) {
        if (steps.isEmpty()) {
            return MapValue.EMPTY;
        }
        return first(root, budget) == null ? null : update(root, 0, old -> null);
    }

    /* Replaces every match by what the operator makes of it; a result of Java's null removes the match. */
    private Value update(Value from, int i, UnaryOperator<Value> operator) {
        if (i == steps.size()) {
            return operator.apply(from);
        }
        Step step = steps.get(i);
        UnaryOperator<Value> below = child -> update(child, i + 1, operator);
        if (from instanceof MapValue map) {
            return updateMap(map, step, below);
        }
        return from instanceof ListValue list ? updateList(list, step, below) : from;
    }

    private static Value updateMap(MapValue map, Step step, UnaryOperator<Value> below) {
        MapValue result = map;
        for (String key : map.keys()) {
            Value old = map.get(key);
            Value value = old;
            if (step instanceof Step.Anywhere anywhere) {
                value = matches(anywhere.inner(), key) ? below.apply(old) : old;
                if (value == old) {
                    value = updateContainer(old, step, below);
                }
            } else if (matches(step, key)) {
                value = below.apply(old);
            }
            if (value != old) {
                result = value == null ? result.without(key) : result.with(key, value);
            }
        }
        return result;
    }

    private static Value updateList(ListValue list, Step step, UnaryOperator<Value> below) {
        ListValue result = list;
        for (int i = list.size() - 1; i >= 0; i--) { // from the end, so that removing keeps the rest in place
            Value old = list.get(i);
            Value value = old;
            if (step instanceof Step.Anywhere anywhere) {
                value = matches(anywhere.inner(), list, i) ? below.apply(old) : old;
                if (value == old) {
                    value = updateContainer(old, step, below);
                }
            } else if (matches(step, list, i)) {
                value = below.apply(old);
            }
            if (value != old) {
                result = value == null ? result.without(i) : result.with(i, value);
            }
        }
        return result;
    }

    private static Value updateContainer(Value value, Step step, UnaryOperator<Value> below) {
        if (value instanceof MapValue map) {
            return updateMap(map, step, below);
        }
        return value instanceof ListValue list ? updateList(list, step, below) : value;
    }

    private static boolean matches(Step step, String key) {
        return (step instanceof Field field && field.name().equals(key))
                || (step instanceof Step.Fields fields && fields.names().contains(key))
                || step instanceof Step.EveryField;
    }

    private static boolean matches(Step step, ListValue list, int position) {
        return (step instanceof Index index && Step.position(index.index(), list.size()) == position)
                || step instanceof Step.EveryItem;
    }

    /* Only called where nothing is at the path; "from" is null where even its container is missing. */
    private Value create(Value from, int i, Value value, int padding) throws PathConflictException {
        if (i == steps.size()) {
            return value;
        }
        if (steps.get(i) instanceof Field field) {
            if (from != null && !(from instanceof MapValue)) {
                throw conflict(i, from, "a mapping");
            }
            MapValue map = from == null ? MapValue.EMPTY : (MapValue) from;
            return map.with(field.name(), create(map.get(field.name()), i + 1, value, padding));
        }
        // An empty map is what padding leaves behind; an index may still make a list of it.
        boolean fresh = from == null || from.equals(MapValue.EMPTY);
        if (!fresh && !(from instanceof ListValue)) {
            throw conflict(i, from, "a list");
        }
        ListValue list = fresh ? ListValue.EMPTY : (ListValue) from;
        int index = ((Index) steps.get(i)).index();
        int position = index < 0 ? index + list.size() : index;
        if (position < 0 || position > (long) list.size() + padding) {
            throw new PathConflictException("the index " + index + " is out of reach: the list has " + list.size()
                    + " items, and at most " + padding + " may be added");
        }
        Value old = position < list.size() ? list.get(position) : null;
        return list.paddedTo(position + 1).with(position, create(old, i + 1, value, padding));
    }

    private PathConflictException conflict(int i, Value found, String expected) {
        return new PathConflictException("step " + (i + 1) + " needs " + expected + " to go into, and finds "
                + (found.kind().startsWith("i") ? "an " : found.kind().equals("text") ? "" : "a ") + found.kind());
    }

    /** The path as it was written. */
    @Override
    public String toString() {
        return text;
    }
}
