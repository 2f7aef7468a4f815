package dev.strake.engine.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.strake.engine.Json;
import dev.strake.engine.apply.ApplyResult.Action;
import dev.strake.engine.apply.PatchFailure.Kind;
import dev.strake.engine.tree.Colliding;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Trees that somebody makes to break or to stop an applier. */
class HostilePatchTest {

    @Test
    void shouldRefuseTreesThatAreTooDeep() {
        Value deep = Num.of(1);
        for (int i = 0; i < 100_000; i++) {
            deep = MapValue.of("a", deep);
        }
        MapValue tree = (MapValue) deep;
        MapValue object = Json.map("{'apiVersion':'v1','kind':'Pod','metadata':{'name':'n'}}");
        MapValue deepObject = object.with("spec", tree);
        assertThat(catchThrowableOfType(InvalidPatchException.class, () -> MergePatch.apply(tree, object))
                        .failure()
                        .kind())
                .isEqualTo(Kind.LIMIT_EXCEEDED);
        assertThat(catchThrowableOfType(InvalidPatchException.class, () -> StrategicMergePatch.apply(object, tree))
                        .failure()
                        .kind())
                .isEqualTo(Kind.LIMIT_EXCEEDED);
        for (ApplyRequest asked : List.of(
                ApplyRequest.preview(object, null, deepObject, ApplyMode.APPLY),
                ApplyRequest.preview(deepObject, null, object, ApplyMode.APPLY),
                ApplyRequest.preview(object, deepObject, object, ApplyMode.APPLY),
                ApplyRequest.preview(null, null, deepObject, ApplyMode.ENSURE_EXISTS))) {
            assertThat(Applying.apply(asked).failure().orElseThrow().kind()).isEqualTo(Kind.LIMIT_EXCEEDED);
        }
    }

    @Test
    void shouldMergeLongListsWhateverTheirKeysAre() throws InvalidPatchException {
        List<String> names = Colliding.texts(17);
        for (boolean backwards : new boolean[] {false, true}) {
            List<Value> live = new ArrayList<>();
            List<Value> patch = new ArrayList<>();
            List<Value> order = new ArrayList<>();
            for (int i = 0; i < names.size(); i++) {
                Text name = new Text(names.get(backwards ? names.size() - 1 - i : i));
                live.add(MapValue.of("name", new Text(names.get(i))));
                patch.add(MapValue.of("name", name).with("image", Num.of(i)));
                order.add(MapValue.of("name", name));
            }
            MapValue changes = MapValue.of("containers", ListValue.of(patch))
                    .with("$setElementOrder/containers", ListValue.of(order));
            MapValue merged = StrategicMergePatch.apply(pod(live), MapValue.of("spec", changes));
            assertThat(containers(merged)).isEqualTo(ListValue.of(patch));
            List<Value> deletions = new ArrayList<>();
            patch.forEach(each -> deletions.add(((MapValue) each).with("$patch", new Text("delete"))));
            MapValue emptied = StrategicMergePatch.apply(
                    pod(live), MapValue.of("spec", MapValue.of("containers", ListValue.of(deletions))));
            assertThat(containers(emptied).size()).isZero();
        }
    }

    @Test
    void shouldUniteLongSetsAndMergeManyMembers() throws InvalidPatchException {
        List<Value> set = new ArrayList<>();
        MapValue.Builder members = MapValue.builder();
        MapValue.Builder nulls = MapValue.builder();
        for (String name : Colliding.texts(17)) {
            set.add(new Text(name));
            members.put(name, Num.of(1));
            nulls.put(name, Null.NULL);
        }
        MapValue live = Json.map("{'apiVersion':'v1','kind':'Pod','metadata':{'name':'n','finalizers':['x']}}");
        MapValue patch = MapValue.of(
                "metadata", MapValue.of("finalizers", ListValue.of(set)).with("labels", members.build()));
        MapValue merged = StrategicMergePatch.apply(live, patch);
        assertThat(((ListValue) ((MapValue) merged.get("metadata")).get("finalizers")).size())
                .isEqualTo(set.size() + 1);
        MapValue removing = MapValue.of("metadata", MapValue.of("labels", nulls.build()));
        assertThat(((MapValue) ((MapValue) StrategicMergePatch.apply(merged, removing)
                                        .get("metadata"))
                                .get("labels"))
                        .size())
                .isZero();
        ApplyResult applied = Applying.apply(ApplyRequest.preview(merged, merged, live, ApplyMode.APPLY));
        assertThat(applied.action()).isEqualTo(Action.PATCH);
        assertThat(((MapValue) ((MapValue) applied.object().get("metadata")).get("labels")).size())
                .isZero();
    }

    private static MapValue pod(List<Value> containers) {
        return Json.map("{'apiVersion':'v1','kind':'Pod','metadata':{'name':'n'}}")
                .with("spec", MapValue.of("containers", ListValue.of(containers)));
    }

    private static ListValue containers(MapValue pod) {
        return (ListValue) ((MapValue) pod.get("spec")).get("containers");
    }
}
