package dev.strake.remote.apply.patch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.PlaceChange;
import dev.strake.engine.tree.Value;
import dev.strake.remote.object.InvalidPatchException;
import dev.strake.remote.object.KubernetesObject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Properties that hold for all objects, documents and patches. */
class MergePropertyTest {

    private static final int ROUNDS = 3_000;

    @Test
    void shouldMergeAsTheRfcDoes() throws InvalidPatchException {
        for (int seed = 0; seed < ROUNDS; seed++) {
            RandomObjects random = new RandomObjects(seed);
            Value live = random.tree(4, true);
            Value patch = random.tree(4, true);
            String before = Json.text(live) + Json.text(patch);
            Value merged = MergePatch.apply(live, patch);
            assertThat(merged).as("seed %s", seed).isEqualTo(byTheRfc(live, patch));
            assertThat(Json.text(live) + Json.text(patch)).as("seed %s", seed).isEqualTo(before);
        }
    }

    /* A literal transcription of the pseudocode in RFC 7386. */
    private static Value byTheRfc(Value target, Value patch) {
        if (!(patch instanceof MapValue members)) {
            return patch;
        }
        MapValue result = target instanceof MapValue map ? map : MapValue.EMPTY;
        for (String name : members.keys()) {
            result = members.get(name) instanceof Null
                    ? result.without(name)
                    : result.with(name, byTheRfc(result.get(name), members.get(name)));
        }
        return result;
    }

    @Test
    void shouldChangeNothingWhenAPatchIsMergedAgain() throws InvalidPatchException {
        for (int seed = 0; seed < ROUNDS; seed++) {
            RandomObjects random = new RandomObjects(seed);
            Value patch = random.tree(4, true);
            Value merged = MergePatch.apply(random.tree(4, false), patch);
            assertThat(MergePatch.apply(merged, patch)).as("seed %s", seed).isSameAs(merged);
            assertThat(hasNullMember(merged)).as("seed %s", seed).isFalse();

            MapValue pod = random.pod();
            MapValue podPatch = random.podPatch(pod);
            String before = Json.text(pod) + Json.text(podPatch);
            MapValue patched = StrategicMergePatch.apply(pod, podPatch);
            assertThat(PlaceChange.between(patched, StrategicMergePatch.apply(patched, podPatch)))
                    .as("seed %s: %s", seed, before)
                    .isEmpty();
            assertThat(Json.text(pod) + Json.text(podPatch)).as("seed %s", seed).isEqualTo(before);
            assertThat(hasNullMember(patched)).as("seed %s", seed).isFalse();
            assertThat(Json.text(patched)).as("seed %s", seed).doesNotContain("$");
        }
    }

    @Test
    void shouldNotDependOnTheOrderOfKeys() throws InvalidPatchException {
        for (int seed = 0; seed < ROUNDS; seed++) {
            RandomObjects random = new RandomObjects(seed);
            Value live = random.tree(4, true);
            Value patch = random.tree(4, true);
            assertThat(MergePatch.apply(random.shuffled(live), random.shuffled(patch)))
                    .as("seed %s", seed)
                    .isEqualTo(MergePatch.apply(live, patch));
            MapValue pod = random.pod();
            MapValue podPatch = random.podPatch(pod);
            assertThat(StrategicMergePatch.apply((MapValue) random.shuffled(pod), (MapValue) random.shuffled(podPatch)))
                    .as("seed %s", seed)
                    .isEqualTo(StrategicMergePatch.apply(pod, podPatch));
        }
    }

    @Test
    void shouldNotDependOnTheOrderOfDisjointPatches() throws InvalidPatchException {
        for (int seed = 0; seed < ROUNDS; seed++) {
            RandomObjects random = new RandomObjects(seed);
            MapValue live = random.map(4, false);
            MapValue one = random.map(4, true);
            MapValue other = random.map(4, true).withEach((key, value) -> one.has(key) ? null : value);
            assertThat(MergePatch.apply(MergePatch.apply(live, one), other))
                    .as("seed %s", seed)
                    .isEqualTo(MergePatch.apply(MergePatch.apply(live, other), one));
        }
    }

    @Test
    void shouldOrderListElementsAsTheRuleSays() throws InvalidPatchException {
        for (int seed = 0; seed < ROUNDS; seed++) {
            RandomObjects random = new RandomObjects(seed);
            List<String> live = random.letters("abcdef");
            List<String> patch = random.letters("cdefgh");
            MapValue pod = pod(live);
            assertThat(StrategicMergePatch.apply(pod, pod(patch)))
                    .as("seed %s: %s + %s", seed, live, patch)
                    .isEqualTo(pod(woven(live, patch)));
        }
    }

    /* Takes the patch's next element if it is new or precedes the next live-only element, or else the live-only one. */
    private static List<String> woven(List<String> live, List<String> patch) {
        List<String> liveOnly = new ArrayList<>(live);
        liveOnly.removeAll(patch);
        List<String> ofPatch = new ArrayList<>(patch);
        List<String> result = new ArrayList<>();
        while (!ofPatch.isEmpty() || !liveOnly.isEmpty()) {
            boolean takesPatch = liveOnly.isEmpty()
                    || (!ofPatch.isEmpty() && live.indexOf(ofPatch.get(0)) < live.indexOf(liveOnly.get(0)));
            result.add((takesPatch ? ofPatch : liveOnly).remove(0));
        }
        return result;
    }

    private static MapValue pod(List<String> names) {
        StringBuilder containers = new StringBuilder();
        names.forEach(name -> containers.append(",{'name':'").append(name).append("'}"));
        return Json.map("{'apiVersion':'v1','kind':'Pod','spec':{'containers':["
                + (names.isEmpty() ? "" : containers.substring(1)) + "]}}");
    }

    @Test
    void shouldChangeNothingWhenADocumentIsAppliedAgain() {
        for (int seed = 0; seed < ROUNDS; seed++) {
            RandomObjects random = new RandomObjects(seed);
            boolean custom = seed % 2 == 0;
            MapValue live = custom ? random.widget() : random.pod();
            MapValue last = custom ? random.widget() : random.pod();
            MapValue desired = custom ? random.widget() : random.pod();
            for (ApplyMode mode : ApplyMode.values()) {
                ApplyResult first = Applying.apply(RandomObjects.preview(live, last, desired, mode));
                assertThat(first.failure()).as("seed %s %s", seed, mode).isEmpty();
                ApplyResult second =
                        Applying.apply(RandomObjects.preview(first.object(), recorded(first), desired, mode));
                assertThat(PlaceChange.between(first.object(), second.object()))
                        .as("seed %s %s", seed, mode)
                        .isEmpty();
            }
        }
    }

    @Test
    void shouldReplaceThePreviousDocumentAndKeepForeignFields() {
        for (int seed = 0; seed < ROUNDS; seed++) {
            RandomObjects random = new RandomObjects(seed);
            MapValue live = random.widget();
            MapValue last = random.widget();
            MapValue desired = random.widget();
            MapValue applied = (MapValue) Applying.apply(RandomObjects.preview(live, last, desired, ApplyMode.APPLY))
                    .object()
                    .get("spec");
            assertApplied(
                    applied,
                    (MapValue) live.get("spec"),
                    (MapValue) last.get("spec"),
                    (MapValue) desired.get("spec"),
                    "seed " + seed);
        }
    }

    private static void assertApplied(MapValue applied, MapValue live, MapValue last, MapValue desired, String where) {
        for (String key : desired.keys()) {
            if (desired.get(key) instanceof MapValue inner) {
                assertApplied(
                        (MapValue) applied.get(key), mapAt(live, key), mapAt(last, key), inner, where + " " + key);
            } else {
                assertThat(applied.get(key)).as(where + " " + key).isEqualTo(desired.get(key));
            }
        }
        for (String key : last.keys()) {
            if (!desired.has(key)) {
                if (!(last.get(key) instanceof MapValue inner)) {
                    assertThat(applied.has(key)).as(where + " " + key).isFalse();
                } else if (applied.get(key) instanceof MapValue rest) {
                    assertApplied(rest, mapAt(live, key), inner, MapValue.EMPTY, where + " " + key);
                }
            }
        }
        for (String key : live.keys()) {
            if (!desired.has(key) && !last.has(key)) {
                assertThat(applied.get(key)).as(where + " " + key).isEqualTo(live.get(key));
            }
        }
    }

    private static MapValue mapAt(MapValue map, String key) {
        return map.get(key) instanceof MapValue inner ? inner : MapValue.EMPTY;
    }

    private static Value recorded(ApplyResult result) {
        return new KubernetesObject(result.object())
                .annotation(KubernetesObject.LAST_APPLIED)
                .filter(text -> text.startsWith("{"))
                .map(Json::value)
                .orElse(null);
    }

    private static boolean hasNullMember(Value value) {
        if (value instanceof MapValue map) {
            return map.keys().stream().anyMatch(key -> map.get(key) instanceof Null || hasNullMember(map.get(key)));
        }
        return false; // nulls in lists are kept
    }
}
