package dev.strake.remote.apply.patch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import dev.strake.remote.apply.patch.ApplyResult.Action;
import dev.strake.remote.object.InvalidPatchException;
import dev.strake.remote.object.InvalidPatchException.Kind;
import dev.strake.remote.object.KubernetesObject;
import dev.strake.remote.object.Reconcile;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Applying one object; the corpus test has the recorded answers. */
class ApplyingTest {

    private static final String OWNER = "/the/owner";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'kind':'A','metadata':{'name':'n'}} | .apiVersion",
                "{'apiVersion':'v1','kind':7,'metadata':{'name':'n'}} | .kind",
                "{'apiVersion':'v1','kind':'A','metadata':'n'} | .metadata.name",
                "{'apiVersion':'v1','kind':'A','metadata':{'name':''}} | .metadata.name",
                "{'apiVersion':'v1','kind':'A','metadata':{'name':'n','annotations':['a']}} | .metadata.annotations",
                "{'apiVersion':'v1','kind':'A','metadata':{'name':'n','labels':{'deploy.razee.io/mode':true}}} | .metadata.labels.deploy.razee.io/mode",
            })
    void shouldRefuseInvalidKubernetesObjects(String document, String place) {
        ApplyResult result = apply(null, null, Json.map(document));
        assertThat(result.action()).isEqualTo(Action.FAILED);
        assertThat(result.request()).isEmpty();
        assertThat(result.failure().orElseThrow().kind()).isEqualTo(Kind.INVALID_OBJECT);
        assertThat(result.failure().orElseThrow().place()).hasToString(place);
    }

    @ParameterizedTest
    @CsvSource({
        "Apply, APPLY", "MERGEPATCH, APPLY", "strategicmergepatch, STRATEGIC_MERGE_PATCH",
        "AdditiveMergePatch, ADDITIVE_MERGE_PATCH", "ensureExists, ENSURE_EXISTS", "nonsense, APPLY"
    })
    void shouldReadTheModeFromTheLabelInAnyCase(String label, ApplyMode mode) {
        MapValue labelled =
                with(document("{}"), Json.map("{'metadata':{'labels':{'deploy.razee.io/mode':'" + label + "'}}}"));
        assertThat(ApplyMode.of(labelled)).isEqualTo(mode);
        assertThat(ApplyMode.of(document("{}"))).isEqualTo(ApplyMode.APPLY);
    }

    @ParameterizedTest
    @CsvSource({"true, TRUE", "True, TRUE", "false, FALSE", "Confirm, CONFIRM", "yes, FALSE", "'', FALSE"})
    void shouldDeleteNothingOnAnUnknownLabelValue(String label, Reconcile reconcile) {
        assertThat(Reconcile.of(Json.map("{'metadata':{'labels':{'deploy.razee.io/Reconcile':'" + label + "'}}}")))
                .contains(reconcile);
        assertThat(Reconcile.of(document("{}"))).isEmpty();
    }

    @Test
    void shouldRemoveTheSameFieldsOfASecretWithoutItsValues() {
        MapValue first = document("{'a':'s3cret','list':['s3cret'],'opts':{'x':'s3cret','none':null}}");
        MapValue second = document("{'opts':{'y':1}}");
        for (ApplyMode mode : ApplyMode.values()) {
            MapValue masked = history(mode, first, second, "masked");
            MapValue clear = history(mode, first, second, null);
            assertThat(masked.get("spec")).as(mode.text()).isEqualTo(clear.get("spec"));
            assertThat(Json.text(masked.get("metadata"))).doesNotContain("s3cret");
        }
        MapValue debugged = with(first, Json.map("{'metadata':{'labels':{'deploy.razee.io/debug':'true'}}}"));
        assertThat(Json.text(Applying.apply(masked(debugged, null, first, ApplyMode.APPLY, "masked"))
                        .object()
                        .get("metadata")))
                .contains("pending")
                .doesNotContain("s3cret");
    }

    /* Returns the object in the cluster after two documents, the second applied to the result of the first. */
    private static MapValue history(ApplyMode mode, MapValue first, MapValue second, String mask) {
        MapValue made = Applying.apply(masked(null, null, first, mode, mask)).object();
        assertThat(Json.text(made.get("metadata")).contains("s3cret")).isEqualTo(mask == null && keepsRecord(mode));
        return Applying.apply(masked(made, record(made), second, mode, mask)).object();
    }

    private static boolean keepsRecord(ApplyMode mode) {
        return mode == ApplyMode.APPLY || mode == ApplyMode.STRATEGIC_MERGE_PATCH;
    }

    private static Value record(MapValue object) {
        return new KubernetesObject(object)
                .annotation(KubernetesObject.LAST_APPLIED)
                .filter(json -> json.startsWith("{"))
                .map(Json::value)
                .orElse(null);
    }

    private static ApplyRequest masked(MapValue live, Value last, MapValue desired, ApplyMode mode, String mask) {
        return new ApplyRequest(live, last, desired, mode, OWNER, Set.of(), mask);
    }

    @Test
    void shouldNeverShowTheContent() {
        ApplyRequest asked =
                RandomObjects.preview(live("{'a':'s3cret'}"), null, document("{'a':'s3cret'}"), ApplyMode.APPLY);
        ApplyResult result = Applying.apply(asked);
        assertThat(asked + " " + result + " " + result.request() + " " + new KubernetesObject(asked.desired()))
                .doesNotContain("s3cret");
    }

    private static ApplyResult apply(MapValue live, Value last, MapValue desired) {
        return Applying.apply(new ApplyRequest(live, last, desired, ApplyMode.APPLY, OWNER, Set.of(), null));
    }

    private static MapValue live(String spec) {
        return document(spec);
    }

    private static MapValue document(String spec) {
        return Json.map("{'apiVersion':'example.com/v1','kind':'Widget','metadata':{'name':'n'},'spec':" + spec + "}");
    }

    private static MapValue with(MapValue object, MapValue patch) {
        try {
            return (MapValue) MergePatch.apply(object, patch);
        } catch (InvalidPatchException e) {
            throw new IllegalStateException(Optional.ofNullable(e.getMessage()).orElse(""), e);
        }
    }
}
