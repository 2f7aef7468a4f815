package dev.strake.remote.apply.patch;

import dev.strake.engine.Json;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Random trees, objects and patches, small and with few names, so that they often interact. */
final class RandomObjects {

    private static final List<String> KEYS = List.of("a", "b", "c", "d", "", "x.y", "length");

    private final Random random;

    RandomObjects(long seed) {
        this.random = new Random(seed);
    }

    /** @param nulls whether mappings may contain nulls */
    Value tree(int levels, boolean nulls) {
        return switch (random.nextInt(levels > 0 ? 7 : 4)) {
            case 0 -> new Text(KEYS.get(random.nextInt(3)));
            case 1 -> Num.of(random.nextInt(3));
            case 2 -> Bool.of(random.nextBoolean());
            case 3 -> nulls ? Null.NULL : Bool.TRUE;
            case 4 ->
                ListValue.of(Stream.generate(() -> tree(levels - 1, true))
                        .limit(random.nextInt(3))
                        .toList());
            default -> map(levels, nulls);
        };
    }

    MapValue map(int levels, boolean nulls) {
        MapValue.Builder map = MapValue.builder();
        for (int i = random.nextInt(5); i > 0; i--) {
            map.put(KEYS.get(random.nextInt(KEYS.size())), tree(levels - 1, nulls));
        }
        return map.build();
    }

    /** Returns the same content with the keys of all mappings shuffled. */
    Value shuffled(Value value) {
        if (value instanceof MapValue map) {
            List<String> keys = new ArrayList<>(map.keys());
            Collections.shuffle(keys, random);
            MapValue.Builder result = MapValue.builder();
            keys.forEach(key -> result.put(key, shuffled(map.get(key))));
            return result.build();
        }
        return value instanceof ListValue list ? list.withEach((i, item) -> shuffled(item)) : value;
    }

    /** Returns an object of a custom kind. */
    MapValue widget() {
        return Json.map("{'apiVersion':'example.com/v1','kind':'Widget','metadata':{'name':'n'}}")
                .with("spec", map(4, false));
    }

    /** Returns a pod without nulls. */
    MapValue pod() {
        MapValue spec = MapValue.of("containers", containers())
                .with("nodeSelector", map(1, false))
                .with("tolerations", ListValue.of(map(1, false)));
        MapValue metadata = MapValue.of("name", new Text("n")).with("finalizers", texts("fghi"));
        return Json.map("{'apiVersion':'v1','kind':'Pod'}")
                .with("metadata", metadata)
                .with("spec", spec);
    }

    private ListValue containers() {
        return elements(
                "nmop", name -> MapValue.of("name", name).with("env", env()).with("image", Num.of(random.nextInt(3))));
    }

    private ListValue env() {
        return elements("KLMN", name -> MapValue.of("name", name).with("value", Num.of(random.nextInt(3))));
    }

    /** Returns a patch for a pod, with all directives where they are valid. */
    MapValue podPatch(MapValue pod) {
        MapValue spec = (MapValue) pod.get("spec");
        MapValue.Builder patch = MapValue.builder();
        MapValue.Builder metadata = MapValue.builder();
        metadata.put("finalizers", texts("ghij"));
        if (random.nextBoolean()) {
            metadata.put("$deleteFromPrimitiveList/finalizers", texts("fghi"));
        }
        patch.put("metadata", metadata.build());
        MapValue.Builder changes = MapValue.builder();
        ListValue containers = patch((ListValue) spec.get("containers"), "nmopq", this::containerPatch);
        changes.put("containers", containers);
        boolean replaces = containers.items().stream().anyMatch(RandomObjects::replaces);
        if (random.nextBoolean() && !replaces) {
            changes.put("$setElementOrder/containers", order(containers));
        }
        changes.put(
                "nodeSelector",
                switch (random.nextInt(4)) {
                    case 0 -> Null.NULL;
                    case 1 -> map(1, false).with("$patch", StrategicMergePatch.REPLACE);
                    case 2 -> MapValue.of("$patch", StrategicMergePatch.DELETE);
                    default -> map(1, true);
                });
        changes.put("tolerations", ListValue.of(map(1, false)));
        return patch.put("spec", changes.build()).build();
    }

    private MapValue containerPatch(MapValue live) {
        if (live == null) {
            return MapValue.of("env", env());
        }
        MapValue patch = MapValue.of(
                "env", patch((ListValue) live.get("env"), "KLMN", old -> MapValue.of("value", tree(0, true))));
        return random.nextBoolean()
                ? patch
                : patch.with("$retainKeys", ListValue.of(new Text("name"), new Text("env"), new Text("image")))
                        .with("image", Num.of(7));
    }

    private ListValue patch(ListValue live, String names, UnaryOperator<MapValue> change) {
        ListValue patch = elements(names, name -> {
            MapValue old = (MapValue) live.items().stream()
                    .filter(item -> ((MapValue) item).get("name").equals(name))
                    .findFirst()
                    .orElse(null);
            return random.nextInt(4) == 0
                    ? MapValue.of("name", name).with("$patch", StrategicMergePatch.DELETE)
                    : MapValue.of("name", name).updatedWith(change.apply(old));
        });
        return random.nextInt(6) == 0
                ? patch.withInserted(
                        random.nextInt(patch.size() + 1), MapValue.of("$patch", StrategicMergePatch.REPLACE))
                : patch;
    }

    private static boolean replaces(Value element) {
        return StrategicMergePatch.REPLACE.equals(((MapValue) element).get("$patch"));
    }

    /* Returns the order of a patch's elements, mixed with others. */
    private ListValue order(ListValue patch) {
        List<Value> order = new ArrayList<>();
        for (Value element : patch.items()) {
            if (!((MapValue) element).has("$patch")) {
                order.add(MapValue.of("name", ((MapValue) element).get("name")));
            }
        }
        for (Value other : elements("rst", name -> MapValue.of("name", name)).items()) {
            order.add(random.nextInt(order.size() + 1), other);
        }
        return ListValue.of(order);
    }

    private ListValue texts(String letters) {
        return ListValue.of(letters(letters).stream().map(Text::new).toList());
    }

    private ListValue elements(String names, Function<Text, MapValue> element) {
        return ListValue.of(letters(names).stream().map(Text::new).map(element).toList());
    }

    /** Returns a random subset of the letters in random order. */
    List<String> letters(String letters) {
        List<String> all = new ArrayList<>(List.of(letters.split("")));
        Collections.shuffle(all, random);
        return all.subList(0, random.nextInt(all.size() + 1));
    }

    /** Returns a request without owned fields. */
    static ApplyRequest preview(MapValue live, Value lastApplied, MapValue desired, ApplyMode mode) {
        return new ApplyRequest(live, lastApplied, desired, mode, null, Set.of(), null);
    }
}
