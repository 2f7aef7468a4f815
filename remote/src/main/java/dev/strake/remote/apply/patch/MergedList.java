package dev.strake.remote.apply.patch;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import dev.strake.remote.object.InvalidPatchException;
import dev.strake.remote.object.InvalidPatchException.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Merges lists of a strategic merge patch: mappings by a key, scalars as sets. Takes time linear in both lists. */
final class MergedList {

    /** Merges an element of the patch into the live one with the same key. */
    @FunctionalInterface
    interface ElementMerge {

        MapValue merge(MapValue live, MapValue patch) throws InvalidPatchException;
    }

    private MergedList() {}

    /** Returns the union of both lists. */
    static ListValue united(ListValue live, ListValue patch) throws InvalidPatchException {
        checkTypes(live, patch);
        checkScalars(live);
        checkScalars(patch);
        ElementOrder order = new ElementOrder(null);
        Map<Object, Value> all = new LinkedHashMap<>();
        live.items().forEach(item -> all.putIfAbsent(order.identity(item), item));
        patch.items().forEach(item -> all.putIfAbsent(order.identity(item), item));
        ListValue woven =
                order.weave(List.copyOf(all.values()), order.positions(patch.items()), order.positions(live.items()));
        return woven.equals(live) ? live : woven;
    }

    /** Returns the live list without the deleted scalars. */
    static ListValue without(ListValue live, ListValue deleted) throws InvalidPatchException {
        checkTypes(live, deleted);
        ElementOrder order = new ElementOrder(null);
        Map<Object, Integer> gone = order.positions(deleted.items());
        return live.withEach((i, item) -> gone.containsKey(order.identity(item)) ? null : item);
    }

    /** Merges a patch into the live list. Deletions come first, wherever they are in the patch. */
    static ListValue byKey(ListValue live, ListValue patch, String mergeKey, ElementMerge elementMerge)
            throws InvalidPatchException {
        checkTypes(live, patch);
        ElementOrder order = new ElementOrder(mergeKey);
        List<MapValue> changes = new ArrayList<>();
        Set<Object> deleted = new HashSet<>();
        boolean replaces = false;
        for (int i = 0; i < patch.size(); i++) {
            MapValue element = mapping(patch, i, mergeKey);
            Value directive = element.get(Directives.PATCH);
            if (directive == null) {
                checkKey(element, mergeKey, i);
                changes.add(element);
            } else if (directive.equals(StrategicMergePatch.DELETE)) {
                deleted.add(order.identity(checkKey(element, mergeKey, i)));
            } else if (directive.equals(StrategicMergePatch.REPLACE)) {
                replaces = true; // the element with this directive is dropped as a whole
            } else {
                throw StrategicMergePatch.unknownDirective().within(i);
            }
        }
        if (replaces) {
            Map<Object, Integer> positions = order.positions(changes);
            return (ListValue) Directives.replacing(order.weave(changes, Map.of(), positions));
        }
        List<MapValue> items = new ArrayList<>();
        for (int i = 0; i < live.size(); i++) {
            MapValue item = mapping(live, i, mergeKey);
            if (!deleted.contains(order.identity(checkKey(item, mergeKey, i)))) {
                items.add(item);
            }
        }
        Map<Object, Integer> livePositions = new HashMap<>();
        for (int i = 0; i < items.size(); i++) {
            livePositions.putIfAbsent(order.identity(items.get(i)), i);
        }
        Map<Object, Integer> added = new HashMap<>();
        for (int i = 0; i < patch.size(); i++) {
            MapValue change = (MapValue) patch.get(i);
            if (change.has(Directives.PATCH)) {
                continue;
            }
            Object identity = order.identity(change);
            Integer at = livePositions.getOrDefault(identity, added.get(identity));
            if (at == null) {
                added.put(identity, items.size());
                items.add(change);
            } else {
                items.set(at, mergedElement(items.get(at), change, elementMerge, mergeKey, i));
            }
        }
        ListValue woven = order.weave(items, order.positions(changes), livePositions)
                // After ordering, since a null may be the key by which new elements are ordered.
                .withEach((i, item) -> added.containsKey(order.identity(item)) ? Directives.replacing(item) : item);
        return woven.equals(live) ? live : woven;
    }

    private static MapValue mergedElement(MapValue live, MapValue patch, ElementMerge merge, String mergeKey, int i)
            throws InvalidPatchException {
        MapValue merged;
        try {
            merged = merge.merge(live, patch);
        } catch (InvalidPatchException e) {
            throw e.within(i);
        }
        return checkKey(merged, mergeKey, i);
    }

    /** Sorts a list by {@code $setElementOrder}. */
    static ListValue ordered(ListValue merged, ListValue wanted, ListValue live, String mergeKey)
            throws InvalidPatchException {
        ElementOrder order = new ElementOrder(mergeKey);
        for (ListValue list : List.of(merged, wanted, live)) {
            for (int i = 0; mergeKey != null && i < list.size(); i++) {
                checkKey(mapping(list, i, mergeKey), mergeKey, i);
            }
        }
        return order.weave(merged.items(), order.positions(wanted.items()), order.positions(live.items()));
    }

    /**
     * Returns the live list that {@code $setElementOrder} compares with. API servers and kubectl first delete and add
     * elements in it without changing its length. So a new element takes a place that a deletion freed, at the end of
     * the list. New elements without a free place are left out.
     */
    static ListValue withPlacesTaken(ListValue live, ListValue patch, String mergeKey) throws InvalidPatchException {
        ElementOrder order = new ElementOrder(mergeKey);
        Set<Object> deleted = new HashSet<>();
        boolean replaces = false;
        for (int i = 0; i < patch.size(); i++) {
            MapValue element = mapping(patch, i, mergeKey);
            Value directive = element.get(Directives.PATCH);
            replaces |= StrategicMergePatch.REPLACE.equals(directive);
            if (StrategicMergePatch.DELETE.equals(directive)) {
                deleted.add(order.identity(element));
            }
        }
        Map<Object, Value> places = new LinkedHashMap<>();
        for (Value item : live.items()) {
            if (!deleted.contains(order.identity(item))) {
                places.putIfAbsent(order.identity(item), item);
            }
        }
        int free = deletedFrom(live, deleted, order);
        for (int i = 0; i < patch.size() && free > 0 && !replaces; i++) {
            MapValue element = (MapValue) patch.get(i);
            if (!element.has(Directives.PATCH) && places.putIfAbsent(order.identity(element), element) == null) {
                free--;
            }
        }
        return ListValue.of(List.copyOf(places.values()));
    }

    private static int deletedFrom(ListValue live, Set<Object> deleted, ElementOrder order) {
        return (int) live.items().stream()
                .filter(item -> deleted.contains(order.identity(item)))
                .count();
    }

    /** Checks that all elements of the patch are in {@code $setElementOrder}, in its order, except deletions. */
    static void checkOrder(ListValue patch, ListValue wanted, String mergeKey) throws InvalidPatchException {
        if (patch.size() == 0 || wanted.size() == 0) {
            return;
        }
        ElementOrder order = new ElementOrder(mergeKey);
        int next = 0;
        for (int i = 0; i < patch.size(); i++) {
            Value element = patch.get(i);
            Value directive = element instanceof MapValue map ? map.get(Directives.PATCH) : null;
            if (mergeKey != null && Objects.equals(directive, StrategicMergePatch.DELETE)) {
                continue;
            }
            if (directive != null && next < wanted.size()) {
                continue; // kubectl skips directives while it compares the order
            }
            Object identity = next < wanted.size() ? identity(order, patch, i) : null;
            while (next < wanted.size() && !identity(order, wanted, next).equals(identity)) {
                next++;
            }
            if (next++ >= wanted.size()) {
                throw new InvalidPatchException(
                                Kind.ORDER_MISMATCH,
                                "the element is not in the list's $setElementOrder, or not behind the element before it")
                        .within(i);
            }
        }
    }

    private static Object identity(ElementOrder order, ListValue list, int i) throws InvalidPatchException {
        if (order.mergeKey() != null) {
            checkKey(mapping(list, i, order.mergeKey()), order.mergeKey(), i);
        }
        return order.identity(list.get(i));
    }

    private static MapValue mapping(ListValue list, int i, String mergeKey) throws InvalidPatchException {
        if (list.get(i) instanceof MapValue map) {
            return map;
        }
        throw new InvalidPatchException(
                        Kind.LIST_TYPES_DIFFER,
                        "the list holds mappings, which are merged by their " + mergeKey + ", and here stands a "
                                + list.get(i).kind())
                .within(i);
    }

    private static MapValue checkKey(MapValue element, String mergeKey, int i) throws InvalidPatchException {
        if (!element.has(mergeKey)) {
            throw new InvalidPatchException(
                            Kind.MISSING_MERGE_KEY,
                            "the elements of this list are merged by their " + mergeKey + ", and this one has none")
                    .within(i);
        }
        return element;
    }

    private static void checkScalars(ListValue list) throws InvalidPatchException {
        if (list.size() > 0 && list.get(0) instanceof MapValue) {
            throw new InvalidPatchException(
                    Kind.LIST_TYPES_DIFFER, "the list is a set of scalars: mappings cannot be united");
        }
    }

    /* Both lists have to contain the same type of elements, and no lists. */
    private static void checkTypes(ListValue live, ListValue patch) throws InvalidPatchException {
        Class<?> first = null;
        for (ListValue list : List.of(live, patch)) {
            for (int i = 0; i < list.size(); i++) {
                Value item = list.get(i);
                if (item instanceof ListValue || (first != null && first != item.getClass())) {
                    throw new InvalidPatchException(
                                    Kind.LIST_TYPES_DIFFER,
                                    "the elements of a list that is merged have to be of one type, in the live object and "
                                            + "in the patch, and none of them a list")
                            .within(i);
                }
                first = item.getClass();
            }
        }
    }
}
