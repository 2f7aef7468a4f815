package dev.strake.engine.operations;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Operations on mutable maps and lists, written from the rules for paths. Shares no parser, traversal or other code
 * with the engine. Detects that an operation fails, but not why.
 */
final class MutableTree {

    private static final MapValue NOTHING = MapValue.of("nothing", MapValue.EMPTY);

    /** Replaces the value at a path, or removes it if the value is null. */
    record Edit(String path, Value value) {

        Value asOperation() {
            MapValue operation =
                    MapValue.of(Map.of("path", new Text(path), "type", new Text(value == null ? "remove" : "replace")));
            return value == null ? operation : operation.with("value", value);
        }
    }

    /** The path does not exist. */
    static final class NoWayException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /* The document is the only item of a list, so that it has a place like every other value. */
    private final List<Object> root = new ArrayList<>();

    MutableTree(Value document) {
        root.add(thawed(document));
    }

    Value value() {
        return frozen(root.get(0));
    }

    void edit(Edit edit) {
        String[] pieces = edit.path().split("/", -1);
        if (pieces.length == 1) {
            require(edit.value() != null);
            root.set(0, thawed(edit.value()));
            return;
        }
        for (int i = 1; i < pieces.length; i++) { // a malformed path fails before anything is read
            boolean plain = !pieces[i].contains("=") && !pieces[i].split(":", 2)[0].matches("-?\\d+");
            require(!pieces[i].contains(":") || !plain);
        }
        Object at = root.get(0);
        boolean optional = false;
        for (int i = 1; i < pieces.length; i++) {
            boolean last = i == pieces.length - 1;
            String[] words = pieces[i].split(":", -1);
            String text = words[0].replace("~1", "/");
            boolean index = text.matches("-?\\d+");
            optional |= text.endsWith("?");
            String name = text.endsWith("?") ? text.substring(0, text.length() - 1) : text;
            if (last && text.equals("-")) {
                require(edit.value() != null);
                list(at).add(thawed(edit.value()));
                return;
            }
            if (!index && !name.contains("=")) {
                Map<String, Object> map = map(at);
                if (!map.containsKey(name)) {
                    require(optional);
                    if (edit.value() == null) {
                        return;
                    }
                    map.put(name, last ? NOTHING : container(pieces[i + 1], i + 2 == pieces.length));
                }
                if (last) {
                    set(map, name, edit.value());
                }
                at = map.get(name);
                continue;
            }
            List<Object> list = list(at);
            int place;
            if (index) {
                place = Integer.parseInt(text);
            } else {
                String[] entry = name.split("=", 2);
                List<Integer> found = matching(list, entry[0], entry[1]);
                if (found.isEmpty() && optional) {
                    if (edit.value() == null) {
                        return;
                    }
                    Map<String, Object> item = new LinkedHashMap<>();
                    item.put(entry[0], new Text(entry[1]));
                    list.add(last ? thawed(edit.value()) : item);
                    at = item;
                    continue;
                }
                require(found.size() == 1);
                place = found.get(0);
            }
            String insert = null;
            for (int w = 1; w < words.length; w++) {
                require(insert == null);
                switch (words[w]) {
                    case "prev" -> place--;
                    case "next" -> place++;
                    default -> insert = words[w];
                }
            }
            require(insert == null || (last && edit.value() != null));
            require(place < list.size() && place >= -list.size());
            place += place < 0 ? list.size() : 0;
            if (!last) {
                at = list.get(place);
            } else if (insert != null) {
                list.add(insert.equals("before") ? place : place + 1, thawed(edit.value()));
            } else if (edit.value() == null) {
                list.remove(place);
            } else {
                list.set(place, thawed(edit.value()));
            }
        }
    }

    private static void set(Map<String, Object> map, String name, Value value) {
        if (value == null) {
            map.remove(name);
        } else {
            map.put(name, thawed(value));
        }
    }

    private static Object container(String next, boolean last) {
        String text = next.split(":", 2)[0];
        require(!text.matches("-?\\d+"));
        boolean list = text.contains("=") || (last && text.equals("-"));
        return list ? new ArrayList<>() : new LinkedHashMap<>();
    }

    private static List<Integer> matching(List<Object> list, String key, String value) {
        List<Integer> texts = new ArrayList<>();
        List<Integer> integers = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            Object found = list.get(i) instanceof Map<?, ?> map ? map.get(key) : null;
            if (found instanceof Text text && text.value().equals(value)) {
                texts.add(i);
            } else if (found instanceof Num num && num.literal().equals(value)) {
                integers.add(i);
            }
        }
        return texts.isEmpty() ? integers : texts;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object value) {
        require(value instanceof Map);
        return (Map<String, Object>) value;
    }

    @SuppressWarnings("unchecked")
    private static List<Object> list(Object value) {
        require(value instanceof List);
        return (List<Object>) value;
    }

    private static void require(boolean condition) {
        if (!condition) {
            throw new NoWayException();
        }
    }

    private static Object thawed(Value value) {
        if (value instanceof MapValue map) {
            Map<String, Object> result = new LinkedHashMap<>();
            map.forEach((key, item) -> result.put(key, thawed(item)));
            return result;
        }
        if (value instanceof ListValue list) {
            List<Object> result = new ArrayList<>();
            list.items().forEach(item -> result.add(thawed(item)));
            return result;
        }
        return value;
    }

    private static Value frozen(Object value) {
        if (value instanceof Map<?, ?> map) {
            MapValue.Builder result = MapValue.builder();
            map.forEach((key, item) -> result.put((String) key, frozen(item)));
            return result.build();
        }
        if (value instanceof List<?> list) {
            return ListValue.of(list.stream().map(MutableTree::frozen).toList());
        }
        return (Value) value;
    }
}
