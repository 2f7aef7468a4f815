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
 * Knows where the values of one evaluation came from, by their identity. All that goes into the evaluation is copied, so
 * that no two places have the same object. The engine passes objects on as they are, so an object of the result that is
 * known here was taken from its place, and one that is not known was made by a step.
 *
 * <p>Booleans, null and empty containers are always the same objects. Their origin is told by the container that they are
 * in, if that was taken as a whole.
 */
final class ValueOrigins {

    private final IdentityHashMap<Value, Origin> known = new IdentityHashMap<>();

    /**
     * Where a value was taken from.
     *
     * @param document the document that it was read from
     * @param isOwn whether it is data as published, and not what the document rendered to
     */
    record Origin(DocumentId document, boolean isOwn, Place place) {

        Origin below(Place rest) {
            return new Origin(document, isOwn, place.then(rest));
        }
    }

    /** The same tree made of new objects, all of which are known from now on. */
    Value copy(Value value, DocumentId document, boolean isOwn) {
        return copy(value, new Origin(document, isOwn, Place.ROOT));
    }

    /* As deep as a document may be, so this may recurse. */
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
     * Where the value at a place of a tree was taken from.
     *
     * @return null if a step made it, or, of a value without identity, if that cannot be told
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

    /** Whether a container that is not empty was taken from somewhere as a whole, and not put together by a step. */
    boolean isWhole(Value container) {
        return known.containsKey(container);
    }

    /** Whether an object of this value can be told from others: booleans, null and what is empty are always the same. */
    static boolean hasIdentity(Value value) {
        return value instanceof Text
                || value instanceof Num
                || (value instanceof Container container && !container.isEmpty());
    }
}
