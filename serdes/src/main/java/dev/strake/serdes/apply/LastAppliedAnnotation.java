package dev.strake.serdes.apply;

import dev.strake.engine.apply.KubernetesObject;
import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.text.JsonValues;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The document that was applied to an object last, as Razee keeps it in an annotation of the object. */
public final class LastAppliedAnnotation {

    private LastAppliedAnnotation() {}

    /**
     * The document. Empty if the object has none, or a text that is no JSON object: the mode AdditiveMergePatch leaves a
     * sentence there, and anybody may write to an annotation. Without it, nothing is removed.
     */
    public static Optional<MapValue> read(MapValue object) {
        return new KubernetesObject(object)
                .annotation(KubernetesObject.LAST_APPLIED)
                .flatMap(LastAppliedAnnotation::parse);
    }

    static Optional<MapValue> parse(String json) {
        try {
            return JsonValues.read(json.getBytes(StandardCharsets.UTF_8)) instanceof MapValue map
                    ? Optional.of(map)
                    : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // as documented: no history
        }
    }
}
