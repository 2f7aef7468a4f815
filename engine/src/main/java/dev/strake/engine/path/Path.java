package dev.strake.engine.path;

import dev.strake.engine.limit.Budget;
import dev.strake.engine.path.PathStep.Field;
import dev.strake.engine.path.PathStep.Index;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Place;
import dev.strake.engine.tree.Value;
import java.util.List;

/**
 * A compiled path into a document's data, as in Deckhand (which reads paths with the plain grammar of jsonpath-ng).
 *
 * <p>A path that is only read may have all forms that the library has, see {@link Query}. Reading takes the first
 * match. Writing goes to every match. If nothing matches, the missing parts are created: maps for names and lists for
 * indexes, padded with empty maps. Each path that leads into sealed data finds the sealed text as a whole, and writes
 * nothing there. All operations return new trees that share the unchanged parts. Unlike in Deckhand, creation works on
 * the steps and not on the text of the path, so quoted names and nested lists can be created too.
 */
public final class Path {

    /** The data as a whole. */
    public static final Path ROOT = new Path(".", List.of());

    private final String text;
    private final List<PathStep> steps;
    private final Query query; // null for a path that can be written, too

    private Path(String text, List<PathStep> steps) {
        this(text, steps, null);
    }

    private Path(String text, List<PathStep> steps, Query query) {
        this.text = text;
        this.steps = steps;
        this.query = query;
    }

    /** The path of a substitution source, or any other path that is only read. */
    public static Path of(String text) throws PathSyntaxException {
        try {
            return written(text);
        } catch (PathSyntaxException e) {
            Query query;
            try {
                query = QueryParser.parse(text);
            } catch (PathSyntaxException none) {
                throw e; // its message names the common forms
            }
            return new Path(text, List.of(), query);
        }
    }

    private static Path written(String text) throws PathSyntaxException {
        return new Path(text, new PathParser(text, text).parse());
    }

    /** The path of a substitution destination, which has to start at the root. */
    public static Path ofDestination(String text) throws PathSyntaxException {
        if (!text.startsWith(".") && !text.startsWith("$.") && !text.equals("$")) {
            throw new PathSyntaxException(text, 0, "a destination has to start with a dot");
        }
        return written(text);
    }

    /**
     * The path of a layering action. A leading {@code .data} is cut off, but only if the name ends there. A leading dot
     * may be missing.
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

    /** Whether this path is the root, the data as a whole. */
    public boolean isRoot() {
        return steps.isEmpty() && query == null;
    }

    /**
     * Parses a path that matches the same single place in every tree.
     *
     * @throws PathSyntaxException if the text is not a path, or the path may match several places
     */
    public static Place place(String text) throws PathSyntaxException {
        Place place = of(text).onlyPlace();
        if (place == null) {
            throw new PathSyntaxException(text, 0, "it may match several places; use only keys and indexes");
        }
        return place;
    }

    /** The single place to which this path leads; null if it may lead to several, or counts from the end of a list. */
    public Place onlyPlace() {
        if (query != null) {
            return null;
        }
        Place place = Place.ROOT;
        for (PathStep step : steps) {
            if (step instanceof Field field) {
                place = place.at(field.name());
            } else if (step instanceof Index index && index.index() >= 0) {
                place = place.at(index.index());
            } else {
                return null;
            }
        }
        return place;
    }

    /** The first value at this path, or Java's null if there is none. */
    public Value first(Value root, Budget budget) {
        if (query != null) {
            return query.first(root, budget);
        }
        Value current = root;
        for (int i = 0; i < steps.size() && current != null; i++) {
            if (!steps.get(i).isSingle()) {
                return firstBelow(current, i, budget);
            }
            current = steps.get(i).only(current, budget);
        }
        return current;
    }

    private Value firstBelow(Value from, int i, Budget budget) {
        if (i == steps.size()) {
            return from;
        }
        Value[] found = new Value[1];
        steps.get(i).visit(from, budget, value -> (found[0] = firstBelow(value, i + 1, budget)) != null);
        return found[0];
    }

    /**
     * The tree with a value written to every match of this path, or to the place created for it. Of nested matches,
     * only the outermost is written.
     *
     * @param budget also says how far beyond the end of a list an index may reach; the list is padded up to the index
     * @throws PathConflictException if a value on the path is not a container, or an index is out of reach
     */
    public Value write(Value root, Value value, Budget budget) throws PathConflictException {
        if (steps.isEmpty()) {
            return value;
        }
        Rewriting rewriting = new Rewriting(steps, value, budget);
        Value written = rewriting.of(root);
        if (rewriting.characters() > 0) {
            throw new PathConflictException("the path leads to a character of a text, which cannot be written");
        }
        if (rewriting.places() > 0) {
            return written;
        }
        for (PathStep step : steps) {
            if (!step.isSingle()) {
                throw new PathConflictException(
                        "the path matches nothing, and a path with *, .. or several names cannot create a place");
            }
        }
        return create(root, 0, value, budget);
    }

    /**
     * The tree without the values at this path; Java's null if there are none. At the root this is an empty map.
     *
     * @throws PathConflictException if a value at this path is a character of a text
     */
    public Value remove(Value root, Budget budget) throws PathConflictException {
        if (steps.isEmpty()) {
            return MapValue.EMPTY;
        }
        Rewriting rewriting = new Rewriting(steps, null, budget);
        Value left = rewriting.of(root);
        if (rewriting.characters() > 0) {
            throw new PathConflictException("the path leads to a character of a text, which cannot be removed");
        }
        return rewriting.places() > 0 ? left : null;
    }

    /* Only called if nothing is at the path. "from" is null if even the container is missing. */
    private Value create(Value from, int i, Value value, Budget budget) throws PathConflictException {
        if (i == steps.size()) {
            return value;
        }
        if (steps.get(i) instanceof Field field) {
            if (from != null && !(from instanceof MapValue)) {
                throw conflict(i, from, "a mapping");
            }
            MapValue map = from == null ? MapValue.EMPTY : (MapValue) from;
            budget.spend(1L + map.size());
            return map.with(field.name(), create(map.get(field.name()), i + 1, value, budget));
        }
        // Padding leaves empty maps behind. An index may still turn such a map into a list.
        boolean fresh = from == null || from.equals(MapValue.EMPTY);
        if (!fresh && !(from instanceof ListValue)) {
            throw conflict(i, from, "a list");
        }
        ListValue list = fresh ? ListValue.EMPTY : (ListValue) from;
        int index = ((Index) steps.get(i)).index();
        int position = index < 0 ? index + list.size() : index;
        if (position < 0 || position > (long) list.size() + budget.limits().padding()) {
            throw new PathConflictException("the index " + index + " is out of range: the list has " + list.size()
                    + " items, and at most " + budget.limits().padding() + " may be added");
        }
        budget.spend(1L + Math.max(list.size(), position));
        Value old = position < list.size() ? list.get(position) : null;
        return list.paddedTo(position + 1).with(position, create(old, i + 1, value, budget));
    }

    private PathConflictException conflict(int i, Value found, String expected) {
        return new PathConflictException(
                "step [" + i + "] of the path needs " + expected + ", but finds " + found.kindWithArticle());
    }

    @Override
    public String toString() {
        return text;
    }
}
