package dev.strake.engine.operations;

import dev.strake.engine.limit.Budget;
import dev.strake.engine.operations.Component.AfterLast;
import dev.strake.engine.operations.Component.Index;
import dev.strake.engine.operations.Component.MapKey;
import dev.strake.engine.operations.Component.Match;
import dev.strake.engine.operations.Component.Modifier;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.List;

/**
 * Follows one path through a tree. A change makes a new tree on the way back, which shares all values off the path. The
 * walk ends at a {@linkplain Text#sealed sealed} value: it finds the sealed value, and changes nothing inside.
 *
 * <p>The order of checks is the same as in go-patch, so of several faults, both report the same one. Recursion is
 * at most as deep as the path is long.
 */
final class Walk {

    private final OperationPath path;
    private final List<Component> components;
    private final Budget budget;

    Walk(OperationPath path, Budget budget) {
        this.path = path;
        this.budget = budget;
        this.components = path.components();
    }

    Value find(Value document) throws OperationPathException {
        Value at = document;
        budget.spend(components.size());
        for (int i = 0; i < components.size(); i++) {
            Component component = components.get(i);
            at = known(at, component);
            if (Text.isSealed(at)) {
                return at;
            }
            if (component instanceof AfterLast) {
                throw failure(
                        i,
                        "Expected not to find after last index token in path '" + path.normal()
                                + "' (not supported in find operations)");
            }
            if (component instanceof MapKey key) {
                MapValue map = map(at, i);
                at = map.get(key.name());
                if (at == null) {
                    requireOptional(key, map, i, null);
                    at = isLast(i) ? Null.NULL : created(i, false);
                }
            } else {
                ListValue list = list(at, i);
                Long found = found(list, i);
                at = found == null ? itemFor((Match) component) : list.get(moved(list, found, i));
            }
        }
        return at;
    }

    Value replace(Value document, Value value) throws OperationPathException {
        return replace(document, 0, value);
    }

    private Value replace(Value from, int i, Value value) throws OperationPathException {
        if (i == components.size()) {
            return value;
        }
        Component component = components.get(i);
        Value at = known(from, component);
        if (Text.isSealed(at)) {
            return at;
        }
        if (component instanceof MapKey key) {
            MapValue map = map(at, i);
            Value old = map.get(key.name());
            boolean isNew = old == null;
            if (isNew) {
                requireOptional(key, map, i, "add ? to the component to create missing keys");
                old = isLast(i) ? Null.NULL : created(i, true);
            }
            Value changed = replace(old, i + 1, value);
            budget.spend(map.size());
            MapValue written = map.with(key.name(), changed);
            return isNew && path.isSecret() ? written.closed() : written;
        }
        ListValue list = list(at, i);
        budget.spend(list.size());
        if (component instanceof AfterLast) {
            return list.withInserted(list.size(), value);
        }
        Long found = found(list, i);
        if (found == null) {
            return list.withInserted(list.size(), replace(itemFor((Match) component), i + 1, value));
        }
        if (!isLast(i)) {
            int place = moved(list, found, i);
            return list.with(place, replace(list.get(place), i + 1, value));
        }
        return insertedOrReplaced(list, found, i, value);
    }

    /* Inserts the value before or after the item if the last modifier says so. Otherwise replaces the item. */
    private ListValue insertedOrReplaced(ListValue list, long found, int i, Value value) throws OperationPathException {
        List<Modifier> modifiers = modifiers(i);
        int moves = 0;
        while (moves < modifiers.size() && !inserts(modifiers.get(moves))) {
            moves++;
        }
        if (moves + 1 < modifiers.size()) {
            throw failure(
                    i,
                    "Expected to not find any modifiers after '"
                            + modifiers.get(moves).text() + "' modifier, but found modifier '"
                            + modifiers.get(moves + 1).typeName() + "'");
        }
        int place = moved(list, found, modifiers.subList(0, moves), i);
        if (moves == modifiers.size()) {
            return list.with(place, value);
        }
        return list.withInserted(modifiers.get(moves) == Modifier.BEFORE ? place : place + 1, value);
    }

    private static boolean inserts(Modifier modifier) {
        return modifier == Modifier.BEFORE || modifier == Modifier.AFTER;
    }

    Value remove(Value document) throws OperationPathException {
        if (components.isEmpty()) {
            throw new OperationPathException("Cannot remove entire document");
        }
        return remove(document, 0);
    }

    private Value remove(Value from, int i) throws OperationPathException {
        Component component = components.get(i);
        Value at = known(from, component);
        if (Text.isSealed(at)) {
            return at;
        }
        if (component instanceof AfterLast) {
            throw failure(i, "Expected to not find token 'patch.AfterLastIndexToken' at path '" + path.upTo(i) + "'");
        }
        if (component instanceof MapKey key) {
            MapValue map = map(at, i);
            Value old = map.get(key.name());
            boolean isNew = old == null;
            if (isNew) {
                requireOptional(key, map, i, "add ? to the component if the key may be missing");
                return map;
            }
            Value changed = isLast(i) ? null : remove(old, i + 1);
            budget.spend(map.size());
            return changed == null ? map.without(key.name()) : map.with(key.name(), changed);
        }
        ListValue list = list(at, i);
        Long found = found(list, i);
        if (found == null) {
            return list;
        }
        int place = moved(list, found, i);
        budget.spend(list.size());
        return isLast(i) ? list.without(place) : list.with(place, remove(list.get(place), i + 1));
    }

    /* The value for a missing optional key: the container that the next component needs. */
    private Value created(int i, boolean appends) throws OperationPathException {
        Component next = components.get(i + 1);
        if (next instanceof MapKey) {
            return MapValue.EMPTY;
        }
        if (next instanceof Match || (appends && next instanceof AfterLast)) {
            return ListValue.EMPTY;
        }
        String expected = appends ? "key, matching index or after last index token" : "key or matching index token";
        throw failure(i + 1, "Expected to find " + expected + " at path '" + path.upTo(i + 1) + "'");
    }

    private Value itemFor(Match match) {
        MapValue item = MapValue.of(match.key(), new Text(match.value()));
        return path.isSecret() ? item.closed() : item;
    }

    /* The value, or the sealed value in its place if the value is a list in which a sealed item may be the match. */
    private static Value known(Value at, Component component) {
        if (!(at instanceof ListValue list && component instanceof Match match && list.hasSealed())
                || matches(list, match, false)[0] > 0) {
            return at;
        }
        return list.items().stream()
                .map(item -> item instanceof MapValue map ? map.get(match.key()) : item)
                .filter(Text::isSealed)
                .findFirst()
                .orElse(at);
    }

    /* The index to which a component points, before its modifiers; null if an optional match matches nothing. */
    private Long found(ListValue list, int i) throws OperationPathException {
        if (components.get(i) instanceof Index index) {
            return index.index();
        }
        Match match = (Match) components.get(i);
        budget.spend(list.size() * (Budget.ENTRY + match.value().length() / Budget.CHARACTERS));
        int[] texts = matches(list, match, false);
        // Integers match by digits, but only if no text matches: lists that go-patch can edit give the same result.
        int[] found = texts[0] > 0 ? texts : matches(list, match, true);
        if (found[0] == 0 && match.optional()) {
            return null;
        }
        if (found[0] != 1) {
            String message = "Expected to find exactly one matching array item for path '" + path.upTo(i)
                    + "' but found " + found[0];
            String hint = found[0] == 0 ? Surroundings.items(list, match.key()) : null;
            throw new OperationPathException(() -> message, path.component(i), false, hint);
        }
        return (long) found[1];
    }

    /* The number of items that match, and the index of the last of them. */
    private static int[] matches(ListValue list, Match match, boolean integers) {
        int count = 0;
        int last = 0;
        for (int k = 0; k < list.size(); k++) {
            Value entry = list.get(k) instanceof MapValue map ? map.get(match.key()) : null;
            boolean matches = integers
                    ? entry instanceof Num num
                            && num.isInteger()
                            && num.literal().equals(match.value())
                    : entry instanceof Text text && text.value().equals(match.value());
            if (matches) {
                count++;
                last = k;
            }
        }
        return new int[] {count, last};
    }

    private int moved(ListValue list, long found, int i) throws OperationPathException {
        return moved(list, found, modifiers(i), i);
    }

    private int moved(ListValue list, long found, List<Modifier> modifiers, int i) throws OperationPathException {
        long place = found;
        for (Modifier modifier : modifiers) {
            switch (modifier) {
                case PREV -> place--;
                case NEXT -> place++;
                case BEFORE, AFTER ->
                    throw failure(
                            i,
                            "Expected to find one of the following modifiers: 'prev', 'next', but found modifier '"
                                    + modifier.typeName() + "'");
            }
        }
        if (place >= list.size() || place < -list.size()) {
            long asked = place;
            throw new OperationPathException(
                    () -> "Expected to find array index '" + asked + "' but found array of length '" + list.size()
                            + "' for path '" + path.upTo(i) + "'",
                    path.component(i),
                    isLast(i),
                    null);
        }
        return (int) (place < 0 ? place + list.size() : place);
    }

    private List<Modifier> modifiers(int i) {
        Component component = components.get(i);
        return component instanceof Index index ? index.modifiers() : ((Match) component).modifiers();
    }

    private MapValue map(Value found, int i) throws OperationPathException {
        if (found instanceof MapValue map) {
            return map;
        }
        throw failure(
                i, "Expected to find a map at path '" + path.upTo(i) + "' but found '" + TypeName.of(found) + "'");
    }

    private ListValue list(Value found, int i) throws OperationPathException {
        if (found instanceof ListValue list) {
            return list;
        }
        boolean keyIsMeant = found instanceof MapValue && components.get(i) instanceof Index;
        throw new OperationPathException(
                () -> "Expected to find an array at path '" + path.upTo(i) + "' but found '" + TypeName.of(found) + "'",
                path.component(i),
                false,
                keyIsMeant ? "add ? to a key that looks like an integer" : null);
    }

    private void requireOptional(MapKey key, MapValue map, int i, String hint) throws OperationPathException {
        if (!key.optional()) {
            throw new OperationPathException(
                    () -> "Expected to find a map key '" + key.name() + "' for path '" + path.upTo(i) + "' ("
                            + Surroundings.keys(map) + ")",
                    path.component(i),
                    isLast(i),
                    hint);
        }
    }

    private boolean isLast(int i) {
        return i == components.size() - 1;
    }

    private OperationPathException failure(int i, String message) {
        return new OperationPathException(() -> message, path.component(i), false, null);
    }
}
