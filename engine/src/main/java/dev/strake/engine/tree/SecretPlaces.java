package dev.strake.engine.tree;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Where a tree has {@linkplain Value#isSecret secret} values: the topmost ones, in the order of the tree.
 *
 * <pre>
 *  db: {host: h, password: ******}     /db/password
 *  env: [{value: ******}]              /env/0/value
 *  tls: ******                         /tls            with all that is in it
 * </pre>
 */
public record SecretPlaces(List<Place> places) {

    public static final SecretPlaces NONE = new SecretPlaces(List.of());

    /** The tree as a whole. */
    public static final SecretPlaces ALL = new SecretPlaces(List.of(Place.ROOT));

    public SecretPlaces {
        places = List.copyOf(places);
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
        Value marked = tree;
        for (Place place : places) {
            marked = place.replacedIn(marked, place.in(marked).secret());
        }
        return marked;
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
        return ListValue.of(
                places.stream().map(place -> new Text(place.pointer())).collect(Collectors.toList()));
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
}
