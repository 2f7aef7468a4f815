package dev.strake.engine.oracle;

import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** BOSH operations from the notes on go-patch: knows which operations are invalid, and which fail, but not why. */
public final class NaiveOperations {

    private final List<MapValue> operations = new ArrayList<>();
    private int unreadable = -1;

    /**
     * Reads a list of operations.
     *
     * @param list null or a list of maps; an invalid operation ends the reading
     * @throws IllegalArgumentException if the value is neither
     */
    public NaiveOperations(Value list) {
        if (list instanceof Null) {
            return;
        }
        if (!(list instanceof ListValue items)) {
            throw new IllegalArgumentException("no list");
        }
        for (int i = 0; i < items.size() && unreadable < 0; i++) {
            if (items.get(i) instanceof MapValue operation && isReadable(operation)) {
                operations.add(operation);
            } else {
                unreadable = i;
            }
        }
    }

    /** The position of the first invalid operation, or -1. */
    public int unreadable() {
        return unreadable;
    }

    public List<MapValue> operations() {
        return operations;
    }

    private static boolean isReadable(MapValue operation) {
        Value absent = operation.get("absent");
        boolean fields = isScalar(operation.get("type"))
                && isScalar(operation.get("error"))
                && isScalar(operation.get("path"))
                && operation.has("path")
                && !(operation.get("path") instanceof Null)
                && (absent == null || absent instanceof Null || absent instanceof Bool);
        if (!fields || NaivePath.of(scalar(operation.get("path"))) == null) {
            return false;
        }
        return switch (scalar(operation.get("type"))) {
            case "replace" -> operation.has("value");
            case "remove" -> !operation.has("value") || operation.get("value") instanceof Null;
            case "test" -> operation.has("value") || absent instanceof Bool;
            default -> false;
        };
    }

    private static boolean isScalar(Value value) {
        return !(value instanceof MapValue || value instanceof ListValue);
    }

    private static String scalar(Value value) {
        if (value instanceof Text text) {
            return text.value();
        }
        return value instanceof Num num ? num.literal() : value instanceof Bool bool ? "" + bool.value() : "";
    }

    /** Signals that an operation fails. */
    public static final class NoWayException extends Exception {

        private final boolean missingAtEnd;

        /**
         * @param missingAtEnd whether only the last key of the path, or the last item by index, is missing
         */
        NoWayException(boolean missingAtEnd) {
            this.missingAtEnd = missingAtEnd;
        }
    }

    /** Applies one operation to a tree. */
    public static Value apply(MapValue operation, Value tree) throws NoWayException {
        List<NaivePath.Piece> path = NaivePath.of(scalar(operation.get("path")));
        boolean hidesKeys = operation.get("path").isSecret() && !operation.isSecret();
        switch (scalar(operation.get("type"))) {
            case "replace" -> {
                return replace(path, tree, operation.get("value"), hidesKeys);
            }
            case "remove" -> {
                require(!path.isEmpty());
                return remove(path, tree);
            }
            default -> {
                test(path, tree, operation);
                return tree;
            }
        }
    }

    private static Value replace(List<NaivePath.Piece> path, Value at, Value value, boolean hidesKeys)
            throws NoWayException {
        if (path.isEmpty()) {
            return value;
        }
        NaivePath.Piece piece = path.get(0);
        List<NaivePath.Piece> rest = path.subList(1, path.size());
        if (piece.kind() == NaivePath.Kind.KEY) {
            Map<String, Value> map = Places.entries(map(at));
            boolean isNew = !map.containsKey(piece.text());
            if (isNew) {
                require(piece.optional());
                map.put(piece.text(), rest.isEmpty() ? Null.NULL : container(rest, true));
            }
            map.put(piece.text(), replace(rest, map.get(piece.text()), value, hidesKeys));
            MapValue result = Secrets.changed((MapValue) at, MapValue.of(map));
            return isNew && hidesKeys ? result.closed() : result;
        }
        List<Value> list = list(at);
        if (piece.kind() == NaivePath.Kind.END) {
            list.add(value);
            return Secrets.changed((ListValue) at, ListValue.of(list));
        }
        Integer found = found(piece, list);
        if (found == null) {
            MapValue item = MapValue.of(piece.text(), new Text(piece.value()));
            list.add(replace(rest, hidesKeys ? item.closed() : item, value, hidesKeys));
            return Secrets.changed((ListValue) at, ListValue.of(list));
        }
        List<String> moves = piece.moves();
        String last = moves.isEmpty() ? "" : moves.get(moves.size() - 1);
        boolean inserts = rest.isEmpty() && (last.equals("before") || last.equals("after"));
        int place = moved(inserts ? moves.subList(0, moves.size() - 1) : moves, found, list, rest.isEmpty());
        if (inserts) {
            list.add(last.equals("before") ? place : place + 1, value);
        } else {
            list.set(place, replace(rest, list.get(place), value, hidesKeys));
        }
        return Secrets.changed((ListValue) at, ListValue.of(list));
    }

    private static Value remove(List<NaivePath.Piece> path, Value at) throws NoWayException {
        NaivePath.Piece piece = path.get(0);
        List<NaivePath.Piece> rest = path.subList(1, path.size());
        require(piece.kind() != NaivePath.Kind.END);
        if (piece.kind() == NaivePath.Kind.KEY) {
            Map<String, Value> map = Places.entries(map(at));
            if (!map.containsKey(piece.text())) {
                require(piece.optional());
                return at;
            }
            if (rest.isEmpty()) {
                map.remove(piece.text());
            } else {
                map.put(piece.text(), remove(rest, map.get(piece.text())));
            }
            return Secrets.changed((MapValue) at, MapValue.of(map));
        }
        List<Value> list = list(at);
        Integer found = found(piece, list);
        if (found == null) {
            return at;
        }
        int place = moved(piece.moves(), found, list, rest.isEmpty());
        if (rest.isEmpty()) {
            list.remove(place);
        } else {
            list.set(place, remove(rest, list.get(place)));
        }
        return Secrets.changed((ListValue) at, ListValue.of(list));
    }

    private static void test(List<NaivePath.Piece> path, Value tree, MapValue operation) throws NoWayException {
        boolean absent = Bool.TRUE.equals(operation.get("absent"));
        Value found;
        try {
            found = find(path, tree);
        } catch (NoWayException e) {
            if (absent && e.missingAtEnd) {
                return;
            }
            throw e;
        }
        Value expected = operation.has("value") ? operation.get("value") : Null.NULL;
        require(!absent && same(found, expected));
    }

    private static Value find(List<NaivePath.Piece> path, Value at) throws NoWayException {
        if (path.isEmpty()) {
            return at;
        }
        NaivePath.Piece piece = path.get(0);
        List<NaivePath.Piece> rest = path.subList(1, path.size());
        require(piece.kind() != NaivePath.Kind.END);
        if (piece.kind() == NaivePath.Kind.KEY) {
            MapValue map = map(at);
            if (map.has(piece.text())) {
                return find(rest, map.get(piece.text()));
            }
            if (!piece.optional()) {
                throw new NoWayException(rest.isEmpty());
            }
            return rest.isEmpty() ? Null.NULL : find(rest, container(rest, false));
        }
        List<Value> list = list(at);
        Integer found = found(piece, list);
        return find(
                rest,
                found == null
                        ? MapValue.of(piece.text(), new Text(piece.value()))
                        : list.get(moved(piece.moves(), found, list, rest.isEmpty())));
    }

    /* The value to create for a missing optional key, so that the path can continue. */
    private static Value container(List<NaivePath.Piece> rest, boolean appends) throws NoWayException {
        NaivePath.Kind next = rest.get(0).kind();
        require(next != NaivePath.Kind.INDEX && (appends || next != NaivePath.Kind.END));
        return next == NaivePath.Kind.KEY ? MapValue.EMPTY : ListValue.EMPTY;
    }

    /* The index to which a piece refers before it moves; null for an optional match of nothing. */
    private static Integer found(NaivePath.Piece piece, List<Value> list) throws NoWayException {
        if (piece.kind() == NaivePath.Kind.INDEX) {
            long index = Long.parseLong(piece.text());
            return (int) Math.max(-1_000_000_000, Math.min(1_000_000_000, index));
        }
        List<Integer> texts = new ArrayList<>();
        List<Integer> integers = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            Value entry = list.get(i) instanceof MapValue map ? map.get(piece.text()) : null;
            if (entry instanceof Text text && text.value().equals(piece.value())) {
                texts.add(i);
            } else if (entry instanceof Num num
                    && num.literal().matches("-?[0-9]+")
                    && num.literal().equals(piece.value())) {
                integers.add(i);
            }
        }
        List<Integer> found = texts.isEmpty() ? integers : texts;
        if (found.isEmpty() && piece.optional()) {
            return null;
        }
        require(found.size() == 1);
        return found.get(0);
    }

    private static int moved(List<String> moves, int from, List<Value> list, boolean last) throws NoWayException {
        int place = from;
        for (String move : moves) {
            require(move.equals("prev") || move.equals("next"));
            place += move.equals("prev") ? -1 : 1;
        }
        if (place >= list.size() || place < -list.size()) {
            throw new NoWayException(last);
        }
        return place < 0 ? place + list.size() : place;
    }

    private static boolean same(Value one, Value other) {
        if (one instanceof Num a && other instanceof Num b) {
            boolean decimals = Arrays.stream(new Num[] {a, b})
                    .noneMatch(num -> num.literal().matches("-?[0-9]+"));
            return decimals ? Double.parseDouble(a.literal()) == Double.parseDouble(b.literal()) : a.equals(b);
        }
        if (one instanceof ListValue a && other instanceof ListValue b) {
            boolean same = a.size() == b.size();
            for (int i = 0; same && i < a.size(); i++) {
                same = same(a.get(i), b.get(i));
            }
            return same;
        }
        if (one instanceof MapValue a && other instanceof MapValue b) {
            return a.size() == b.size()
                    && a.keys().stream().allMatch(key -> b.has(key) && same(a.get(key), b.get(key)));
        }
        return one.equals(other);
    }

    private static MapValue map(Value value) throws NoWayException {
        require(value instanceof MapValue);
        return (MapValue) value;
    }

    private static List<Value> list(Value value) throws NoWayException {
        require(value instanceof ListValue);
        return Places.items((ListValue) value);
    }

    private static void require(boolean condition) throws NoWayException {
        if (!condition) {
            throw new NoWayException(false);
        }
    }
}
