package dev.strake.engine.tree;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * The places of the topmost {@linkplain Value#isSecret secret} values of a tree, in the order of the tree.
 *
 * <pre>
 *  db: {host: h, password: ******}     /db/password
 *  env: [{value: ******}]              /env/0/value
 *  tls: ******                         /tls            with all values below
 * </pre>
 */
public final class SecretPlaces {

    public static final SecretPlaces NONE = new SecretPlaces(List.of());

    /** The tree as a whole. */
    public static final SecretPlaces ALL = new SecretPlaces(List.of(Place.ROOT));

    private final List<Place> places;
    private ListValue pointers; // created when first needed; a race only creates them twice

    public SecretPlaces(List<Place> places) {
        this.places = List.copyOf(places);
    }

    public List<Place> places() {
        return places;
    }

    /** Finds the secret places of a tree. */
    public static SecretPlaces of(Value tree) {
        if (!tree.hasSecrets()) {
            return NONE;
        }
        List<Place> found = new ArrayList<>();
        collect(tree, Place.ROOT, found);
        return new SecretPlaces(found);
    }

    /* Recursive: documents have limited depth. */
    private static void collect(Value value, Place place, List<Place> found) {
        if (value.isSecret()) {
            found.add(place);
        } else if (value.hasSecrets() && value instanceof MapValue map) {
            map.forEach((key, child) -> collect(child, place.at(key), found));
        } else if (value.hasSecrets() && value instanceof ListValue list) {
            for (int i = 0; i < list.size(); i++) {
                collect(list.get(i), place.at(i), found);
            }
        }
    }

    /** A copy of a tree with the values at these places marked as secret. */
    public Value markedIn(Value tree) {
        return replacedIn(tree, (place, value) -> value.secret());
    }

    /**
     * A copy of a tree with other values at these places. The tree is copied once for all places.
     *
     * @param other maps a place and the value there to the new value
     */
    public Value replacedIn(Value tree, BiFunction<Place, Value, Value> other) {
        Branch root = new Branch();
        for (Place place : places) {
            Branch branch = root;
            for (Object step : place.steps()) {
                branch = branch.below.computeIfAbsent(step, absent -> new Branch());
            }
            branch.place = place;
        }
        return root.replacedIn(tree, other);
    }

    /** A node in a trie of places: all places that start with the same steps. */
    private static final class Branch {

        private final Map<Object, Branch> below = new HashMap<>();
        private Place place;

        Value replacedIn(Value value, BiFunction<Place, Value, Value> other) {
            if (place != null) {
                return other.apply(place, value);
            }
            if (value instanceof MapValue map) {
                return map.withEach((key, child) -> replacedBelow(key, child, other));
            }
            return value instanceof ListValue list
                    ? list.withEach((index, item) -> replacedBelow(index, item, other))
                    : value;
        }

        private Value replacedBelow(Object step, Value value, BiFunction<Place, Value, Value> other) {
            Branch branch = below.get(step);
            return branch == null ? value : branch.replacedIn(value, other);
        }
    }

    public boolean isEmpty() {
        return places.isEmpty();
    }

    /** The size of the pointers as JSON, in bytes. */
    public long weight() {
        return places.isEmpty() ? 0 : pointers().weight();
    }

    /** Whether the pointers and a tree together take at most this many bytes as JSON. */
    public boolean fitBeside(Value tree, long mostBytes) {
        return tree.weight() + weight() <= mostBytes;
    }

    /** The places as JSON Pointers (RFC 6901). */
    public ListValue pointers() {
        ListValue result = pointers;
        if (result == null) {
            List<Value> texts = new ArrayList<>(places.size());
            places.forEach(place -> texts.add(new Text(place.pointer())));
            result = ListValue.of(texts);
            pointers = result;
        }
        return result;
    }

    /**
     * Resolves JSON Pointers in a tree.
     *
     * @throws IllegalArgumentException if a text is not a pointer, or the tree has no such place
     */
    public static SecretPlaces at(List<String> pointers, Value tree) {
        return new SecretPlaces(
                pointers.stream().map(pointer -> Place.at(pointer, tree)).toList());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SecretPlaces same && same.places.equals(places);
    }

    @Override
    public int hashCode() {
        return places.hashCode();
    }

    @Override
    public String toString() {
        return "SecretPlaces" + places;
    }
}
