package dev.strake.cli.importing;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Applies patches as Kustomize does. Its strategic merge differs from that of API servers: items of a patch come first
 * in a list, and objects of kinds that Kubernetes does not know are merged, too, with lists replaced.
 */
final class Patch {

    /** The field of a patch with a directive for the value that contains it. */
    static final String DIRECTIVE = "$patch";

    private static final Map<String, String> KEYS = Map.ofEntries(
            Map.entry("containers", "name"),
            Map.entry("initContainers", "name"),
            Map.entry("ephemeralContainers", "name"),
            Map.entry("env", "name"),
            Map.entry("volumes", "name"),
            Map.entry("imagePullSecrets", "name"),
            Map.entry("resourceClaims", "name"),
            Map.entry("webhooks", "name"),
            Map.entry("secrets", "name"),
            Map.entry("volumeMounts", "mountPath"),
            Map.entry("volumeDevices", "devicePath"),
            Map.entry("hostAliases", "ip"),
            Map.entry("conditions", "type"));

    private final boolean isBuiltIn;
    private final String kind;

    private Patch(MapValue object) {
        String version = object.text("apiVersion");
        String group = version.contains("/") ? version.substring(0, version.indexOf('/')) : "";
        isBuiltIn = !group.contains(".") || group.endsWith(".k8s.io");
        kind = object.text("kind");
    }

    /** Applies a strategic merge patch. Null if the patch removes the object. */
    static MapValue merged(MapValue object, MapValue patch) throws UntranslatableException {
        return (MapValue) new Patch(object).merged(object, patch, "");
    }

    private Value merged(Value live, Value patch, String field) throws UntranslatableException {
        if (patch instanceof ListValue list) {
            return mergedList(live instanceof ListValue items ? items : ListValue.EMPTY, list, field);
        }
        if (!(patch instanceof MapValue map)) {
            return patch;
        }
        String directive = map.text(DIRECTIVE);
        if (directive.equals("delete")) {
            return null;
        }
        MapValue result = live instanceof MapValue old && !directive.equals("replace") ? old : MapValue.EMPTY;
        for (String key : map.keys()) {
            if (key.startsWith("$") && !key.equals(DIRECTIVE)) {
                throw new UntranslatableException("the directive " + key + " is not known");
            }
            Value value = map.get(key) instanceof Null ? null : merged(result.get(key), map.get(key), key);
            result = key.equals(DIRECTIVE) || value == null ? result.without(key) : result.with(key, value);
        }
        return result;
    }

    private Value mergedList(ListValue live, ListValue patch, String field) throws UntranslatableException {
        if (isBuiltIn && field.equals("finalizers")) {
            Set<Value> all = new LinkedHashSet<>(patch.items());
            all.addAll(live.items());
            return ListValue.of(all);
        }
        String key = keyOf(live, patch, field);
        if (key == null) {
            if (patch.items().stream().anyMatch(item -> item instanceof MapValue map && map.has(DIRECTIVE))) {
                throw new UntranslatableException("the list " + field + " has no key by which its items are merged");
            }
            return patch;
        }
        List<Value> items = new ArrayList<>();
        Set<Value> named = new HashSet<>();
        for (Value item : patch.items()) {
            Value id = id(item, key, field);
            named.add(id);
            Value old = null;
            for (Value each : live.items()) {
                old = id(each, key, field).equals(id) ? each : old;
            }
            Value merged = merged(old, item, "");
            if (merged != null) {
                items.add(merged);
            }
        }
        for (Value item : live.items()) {
            if (!named.contains(id(item, key, field))) {
                items.add(item);
            }
        }
        return ListValue.of(items);
    }

    private String keyOf(ListValue live, ListValue patch, String field) throws UntranslatableException {
        if (!isBuiltIn || patch.size() == 0) {
            return null;
        }
        if (!field.equals("ports")) {
            boolean isReplaced = kind.equals("ServiceAccount") && field.equals("imagePullSecrets");
            return isReplaced ? null : KEYS.get(field);
        }
        String key = kind.equals("Service") ? "port" : "containerPort";
        List<Value> all = new ArrayList<>(live.items());
        all.addAll(patch.items());
        if (!all.stream().allMatch(item -> item instanceof MapValue map && map.has(key))) {
            return null; // the ports of a network policy
        }
        if (live.size() > 0 && all.stream().anyMatch(item -> ((MapValue) item).has("protocol"))) {
            throw new UntranslatableException(
                    "ports with a protocol are merged by two keys; replace the list with JSON 6902");
        }
        return key;
    }

    private static Value id(Value item, String key, String field) throws UntranslatableException {
        if (item instanceof MapValue map && map.has(key)) {
            return map.get(key);
        }
        throw new UntranslatableException("an item of " + field + " has no " + key);
    }

    /** Applies operations of RFC 6902. */
    static MapValue operated(MapValue object, List<Value> operations) throws UntranslatableException {
        Value result = object;
        for (Value each : operations) {
            MapValue operation = each instanceof MapValue map ? map : MapValue.EMPTY;
            List<String> path = pointer(operation.text("path"));
            String op = operation.text("op");
            Value value = operation.get("value");
            if (op.equals("move") || op.equals("copy")) {
                value = found(result, pointer(operation.text("from")));
                result = op.equals("move") ? edited(result, pointer(operation.text("from")), "remove", null) : result;
                op = "add";
            }
            if (op.equals("test")) {
                if (!found(result, path).equals(value)) {
                    throw new UntranslatableException("the test of " + operation.text("path") + " fails");
                }
            } else {
                boolean isComplete = Set.of("add", "replace").contains(op)
                        ? operation.has("value") || value != null
                        : op.equals("remove");
                if (!isComplete || path.isEmpty()) {
                    throw new UntranslatableException(
                            "an operation is not valid by RFC 6902, or changes the whole object");
                }
                result = edited(result, path, op, value);
            }
        }
        return (MapValue) result;
    }

    private static List<String> pointer(String text) throws UntranslatableException {
        if (!text.isEmpty() && text.charAt(0) != '/') {
            throw new UntranslatableException("a path does not begin with a slash");
        }
        List<String> steps = new ArrayList<>();
        for (String step : text.isEmpty() ? new String[0] : text.substring(1).split("/", -1)) {
            steps.add(step.replace("~1", "/").replace("~0", "~"));
        }
        return steps;
    }

    private static Value found(Value value, List<String> path) throws UntranslatableException {
        Value at = value;
        for (String step : path) {
            Value next = at instanceof MapValue map
                    ? map.get(step)
                    : at instanceof ListValue list ? list.get(index(step, list, 1)) : null;
            at = existing(next, step);
        }
        return at;
    }

    private static Value edited(Value in, List<String> path, String op, Value value) throws UntranslatableException {
        String step = path.get(0);
        List<String> rest = path.subList(1, path.size());
        if (in instanceof MapValue map) {
            if (!rest.isEmpty()) {
                return map.with(step, edited(existing(map.get(step), step), rest, op, value));
            }
            if (!op.equals("add")) {
                existing(map.get(step), step);
            }
            return op.equals("remove") ? map.without(step) : map.with(step, value);
        }
        if (!(in instanceof ListValue list)) {
            throw new UntranslatableException("nothing is at '" + step + "' of a path");
        }
        if (rest.isEmpty() && op.equals("add")) {
            int index = step.equals("-") ? list.size() : index(step, list, 0);
            return list.withInserted(index, value);
        }
        int index = index(step, list, 1);
        if (rest.isEmpty()) {
            return op.equals("remove") ? list.without(index) : list.with(index, value);
        }
        return list.with(index, edited(list.get(index), rest, op, value));
    }

    private static int index(String step, ListValue list, int behind) throws UntranslatableException {
        if (!step.matches("0|[1-9][0-9]{0,8}") || Integer.parseInt(step) > list.size() - behind) {
            throw new UntranslatableException("no item is at '" + step + "' of a path");
        }
        return Integer.parseInt(step);
    }

    private static Value existing(Value value, String step) throws UntranslatableException {
        if (value == null) {
            throw new UntranslatableException("nothing is at '" + step + "' of a path");
        }
        return value;
    }
}
