package dev.strake.engine.tree;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * One place in a tree: the keys and indexes that lead to it from the root. A path of Deckhand may match several places;
 * a place is always one.
 *
 * @param steps texts for keys, integers for indexes
 */
public record Place(List<Object> steps) {

    /* A key that a path can name without quotes. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_@][A-Za-z0-9_@-]*|[0-9]+");

    private static final Pattern INDEX = Pattern.compile("0|[1-9][0-9]{0,8}");

    private static final Set<String> RESERVED = Set.of("where", "wherenot");

    /** The tree as a whole. */
    public static final Place ROOT = new Place(List.of());

    public Place {
        steps = List.copyOf(steps);
    }

    @Override
    public int hashCode() {
        int hash = steps.size();
        for (Object step : steps) {
            hash = TextHash.of(hash, step instanceof String key ? TextHash.of(key) : step.hashCode());
        }
        return hash;
    }

    public Place at(String key) {
        return with(key);
    }

    /** The place of an item, counted from 0, in the list at this place. */
    public Place at(int index) {
        return with(index);
    }

    private Place with(Object step) {
        List<Object> longer = new ArrayList<>(steps);
        longer.add(step);
        return new Place(longer);
    }

    /** This place, followed by the steps of another one. */
    public Place then(Place rest) {
        List<Object> longer = new ArrayList<>(steps);
        longer.addAll(rest.steps);
        return new Place(longer);
    }

    /** This place without its first steps. */
    public Place after(int count) {
        return new Place(steps.subList(count, steps.size()));
    }

    /** The first steps of this place. */
    public Place upTo(int count) {
        return new Place(steps.subList(0, count));
    }

    /** This place up to the first map of a tree whose keys are {@linkplain MapValue#isClosed secret}. */
    public Place open(Value root) {
        Value value = root;
        for (int i = 0; i < steps.size() && value != null; i++) {
            if (value instanceof MapValue map && map.isClosed()) {
                return upTo(i);
            }
            value = child(value, steps.get(i));
        }
        return this;
    }

    /** Whether this place is the same as another one, or below it. */
    public boolean isWithin(Place other) {
        return steps.size() >= other.steps.size()
                && steps.subList(0, other.steps.size()).equals(other.steps);
    }

    /** The value at this place of a tree; Java's null if the tree has no such place. */
    public Value in(Value root) {
        Value value = root;
        for (Object step : steps) {
            value = child(value, step);
        }
        return value;
    }

    /** The value to which one step leads; Java's null if the key or index is missing. */
    public static Value child(Value value, Object step) {
        if (step instanceof String key) {
            return value instanceof MapValue map ? map.get(key) : null;
        }
        int index = (Integer) step;
        return value instanceof ListValue list && index < list.size() ? list.get(index) : null;
    }

    public Value replacedIn(Value root, Value value) {
        return replaced(root, 0, value);
    }

    private Value replaced(Value at, int i, Value value) {
        if (i == steps.size()) {
            return value;
        }
        Value below = replaced(child(at, steps.get(i)), i + 1, value);
        return at instanceof MapValue map
                ? map.with((String) steps.get(i), below)
                : ((ListValue) at).with((Integer) steps.get(i), below);
    }

    /**
     * The path of this place: {@code .servers[0]['example.org/name']}. A key that is not a plain name is in brackets
     * and quotes. The root is a dot alone. With a dollar in front, the path is a JSONPath.
     */
    public String path() {
        if (steps.isEmpty()) {
            return ".";
        }
        StringBuilder text = new StringBuilder();
        for (Object step : steps) {
            if (step instanceof String key) {
                boolean isPlain = PLAIN.matcher(key).matches() && !RESERVED.contains(key);
                text.append(isPlain ? "." + key : "[" + quoted(key) + "]");
            } else {
                text.append('[').append(step).append(']');
            }
        }
        return text.toString();
    }

    /** The JSON Pointer (RFC 6901) of this place: {@code /servers/0/example.org~1name}; empty for the root. */
    public String pointer() {
        StringBuilder text = new StringBuilder();
        for (Object step : steps) {
            text.append('/');
            text.append(step instanceof String key ? key.replace("~", "~0").replace("/", "~1") : step);
        }
        return text.toString();
    }

    /**
     * Resolves a JSON Pointer in a tree.
     *
     * @throws IllegalArgumentException if the text is not a pointer, or the tree has no such place
     */
    public static Place at(String pointer, Value root) {
        List<Object> steps = new ArrayList<>();
        Value value = root;
        if (!pointer.isEmpty() && pointer.charAt(0) != '/') {
            throw new IllegalArgumentException("a JSON Pointer has to begin with a slash");
        }
        for (int from = 1; from <= pointer.length(); ) {
            int end = pointer.indexOf('/', from);
            String text = pointer.substring(from, end < 0 ? pointer.length() : end);
            from = end < 0 ? pointer.length() + 1 : end + 1;
            Object step = value instanceof ListValue
                    ? (Object) (INDEX.matcher(text).matches() ? Integer.parseInt(text) : Integer.MAX_VALUE)
                    : text.replace("~1", "/").replace("~0", "~");
            value = child(value, step);
            if (value == null) {
                throw new IllegalArgumentException("the JSON Pointer leads to no value");
            }
            steps.add(step);
        }
        return new Place(steps);
    }

    private static String quoted(String key) {
        return "'" + key.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }

    /** The form used in problems: {@code .servers[0].name}; a dot alone for the root. Keys are not quoted. */
    @Override
    public String toString() {
        if (steps.isEmpty()) {
            return ".";
        }
        StringBuilder text = new StringBuilder();
        for (Object step : steps) {
            if (step instanceof String key) {
                text.append('.').append(key);
            } else {
                text.append('[').append(step).append(']');
            }
        }
        return text.toString();
    }
}
