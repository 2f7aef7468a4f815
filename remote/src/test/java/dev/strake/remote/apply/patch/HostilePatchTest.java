package dev.strake.remote.apply.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.strake.engine.Json;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Value;
import dev.strake.remote.object.InvalidPatchException;
import dev.strake.remote.object.InvalidPatchException.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Malicious trees that try to crash or block an applier. */
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
                        .kind())
                .isEqualTo(Kind.LIMIT_EXCEEDED);
        assertThat(catchThrowableOfType(InvalidPatchException.class, () -> StrategicMergePatch.apply(object, tree))
                        .kind())
                .isEqualTo(Kind.LIMIT_EXCEEDED);
        for (ApplyRequest asked : List.of(
                RandomObjects.preview(object, null, deepObject, ApplyMode.APPLY),
                RandomObjects.preview(deepObject, null, object, ApplyMode.APPLY),
                RandomObjects.preview(object, deepObject, object, ApplyMode.APPLY),
                RandomObjects.preview(null, null, deepObject, ApplyMode.ENSURE_EXISTS))) {
            assertThat(Applying.apply(asked).failure().orElseThrow().kind()).isEqualTo(Kind.LIMIT_EXCEEDED);
        }
    }
}
