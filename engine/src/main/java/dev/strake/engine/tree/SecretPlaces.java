package dev.strake.engine.tree;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * Where a tree has {@linkplain Value#isSecret secret} values: the topmost ones, in the order of the tree.
 *
 * <pre>
 *  db: {host: h, password: ******}     /db/password
 *  env: [{value: ******}]              /env/0/value
 *  tls: ******                         /tls            with all that is in it
 * </pre>
 */
public final class SecretPlaces {

    public static final SecretPlaces NONE = new SecretPlaces(List.of());

    /** The tree as a whole. */
    public static final SecretPlaces ALL = new SecretPlaces(List.of(Place.ROOT));

    private final List<Place> places;
    private ListValue pointers; // made when it is needed; a race makes the same ones twice

    public SecretPlaces(List<Place> places) {
        this.places = List.copyOf(places);
    }

    public List<Place> places() {
        return places;
    }

    /** The secret places of a tree. */
    public static SecretPlaces of(Value tree) {
        if (!tree.hasSecrets()) {
            return NONE;
        }
        List<Place> found = new ArrayList<>();
        collect(tree, Place.ROOT, found);
        return new SecretPlaces(found);
    }

    /* As deep as a document may be, so this may recurse. */
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

    /** A tree with its values at these places marked as secret. */
    public Value markedIn(Value tree) {
        return replacedIn(tree, (place, value) -> value.secret());
    }

    /**
     * A tree with other values at these places. It is copied once, however many they are.
     *
     * @param other the value for a place, by the one that is there
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

    /** The places that begin with the same steps. */
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

    /** Bytes of the pointers. */
    public long weight() {
        return places.isEmpty() ? 0 : pointers().weight();
    }

    /** Whether the pointers and a tree take no more than some bytes together. */
    public boolean fitBeside(Value tree, long mostBytes) {
        return tree.weight() + weight() <= mostBytes;
    }

    /** As pointers of JSON (RFC 6901). */
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
     * The places that some pointers lead to in a tree.
     *
     * @throws IllegalArgumentException if one is no pointer, or leads nowhere
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
