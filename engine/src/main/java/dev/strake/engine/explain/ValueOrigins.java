package dev.strake.engine.explain;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.tree.Container;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Place;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.IdentityHashMap;

/**
 * Tracks the origins of the values of one evaluation by object identity. All inputs of the evaluation are copied, so
 * that no two places share an object. The engine passes objects on unchanged. So a known object in the result comes from
 * its recorded place, and a step created an unknown one.
 *
 * <p>Booleans, null and empty containers are shared objects. Their origin follows from the container around them, if a
 * step took that container as a whole.
 */
final class ValueOrigins {

    private final IdentityHashMap<Value, Origin> known = new IdentityHashMap<>();

    /**
     * Where a value was taken from.
     *
     * @param document the document that it was read from
     * @param isOwn whether the value is from the published data, not from the rendered data
     */
    record Origin(DocumentId document, boolean isOwn, Place place) {

        Origin below(Place rest) {
            return new Origin(document, isOwn, place.then(rest));
        }
    }

    /** Copies a tree and records the origin of each new object. */
    Value copy(Value value, DocumentId document, boolean isOwn) {
        return copy(value, new Origin(document, isOwn, Place.ROOT));
    }

    /* May recurse, because the depth of documents is limited. */
    private Value copy(Value value, Origin origin) {
        if (!hasIdentity(value)) {
            return value;
        }
        Value copy;
        if (value instanceof MapValue map) {
            MapValue.Builder builder = MapValue.builder();
            map.forEach((key, child) -> builder.put(key, copy(child, origin.below(Place.ROOT.at(key)))));
            copy = map.isClosed() ? builder.build().closed() : builder.build().secretIf(map.isSecret());
        } else if (value instanceof ListValue list) {
            Value[] items = new Value[list.size()];
            for (int i = 0; i < items.length; i++) {
                items[i] = copy(list.get(i), origin.below(Place.ROOT.at(i)));
            }
            copy = ListValue.of(items).secretIf(list.isSecret());
        } else if (value instanceof Text text) {
            copy = text.copy();
        } else {
            copy = Num.ofLiteral(((Num) value).literal()).secretIf(value.isSecret());
        }
        known.put(copy, origin);
        return copy;
    }

    /**
     * Finds the origin of the value at a place of a tree.
     *
     * @return null if a step created the value, or if the value has no identity and its origin is unknown
     */
    Origin of(Value tree, Place place) {
        Value value = place.in(tree);
        if (hasIdentity(value) || place.steps().isEmpty()) {
            return known.get(value);
        }
        int above = place.steps().size() - 1;
        Origin around = known.get(place.upTo(above).in(tree));
        return around == null ? null : around.below(place.after(above));
    }

    /** Whether a container was taken from its origin as a whole, not assembled by a step. It must not be empty. */
    boolean isWhole(Value container) {
        return known.containsKey(container);
    }

    /** Whether equal values can be different objects. Booleans, null and empty containers are shared objects. */
    static boolean hasIdentity(Value value) {
        return value instanceof Text
                || value instanceof Num
                || (value instanceof Container container && !container.isEmpty());
    }
}
