package dev.strake.serdes.outcome;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.PlaceChange;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.engine.workspace.Edit;
import dev.strake.engine.workspace.Preview;
import dev.strake.engine.workspace.Preview.Differing;
import dev.strake.engine.workspace.Update;
import java.util.Locale;

/**
 * What a change would do, as JSON:
 *
 * <pre>{@code
 * {"wouldBe": "rendered" | "failed" | "partial",
 *  "documents": {"total", "added", "changed", "removed"},
 *  "affected", "evaluated", "cutOff", "emitted", "removed", "rendered",
 *  "differences": [{"schema", "name", "difference": "created" | "modified" | "deleted",
 *                   "changes": [{"path", "before", "after"}, ...]}, ...],
 *  "appearing": [problem, ...], "vanishing": [problem, ...], "warnings": [problem, ...]}
 * }</pre>
 *
 * <p>Paths are in the rendered document. What was not there has no {@code before}, what will not be there no {@code after}.
 */
public final class PreviewJson {

    private PreviewJson() {}

    /** The tree of a preview. */
    public static MapValue write(Preview preview) {
        Update update = preview.update();
        return MapValue.builder()
                .put("wouldBe", new Text(update.status().name().toLowerCase(Locale.ROOT)))
                .put(
                        "documents",
                        MapValue.builder()
                                .put("total", Num.of(update.next().graph().size()))
                                .put("added", Num.of(update.count(Edit.Kind.ADDED)))
                                .put("changed", Num.of(update.count(Edit.Kind.CHANGED)))
                                .put("removed", Num.of(update.count(Edit.Kind.REMOVED)))
                                .build())
                .put("affected", Num.of(update.work().affected()))
                .put("evaluated", Num.of(update.work().evaluated()))
                .put("cutOff", Num.of(preview.cutOff()))
                .put("emitted", Num.of(update.emissions().size() - update.removed()))
                .put("removed", Num.of(update.removed()))
                .put("rendered", Num.of(update.next().published()))
                .put(
                        "differences",
                        ListValue.of(preview.rendered().stream()
                                .map(PreviewJson::difference)
                                .toList()))
                .put("appearing", ProblemJson.write(preview.appearing()))
                .put("vanishing", ProblemJson.write(preview.vanishing()))
                .put("warnings", ProblemJson.write(update.warnings()))
                .build();
    }

    private static Value difference(Differing differing) {
        String kind = differing.before() == null ? "created" : differing.after() == null ? "deleted" : "modified";
        return MapValue.builder()
                .put("schema", new Text(differing.key().schema()))
                .put("name", new Text(differing.key().name()))
                .put("difference", new Text(kind))
                .put(
                        "changes",
                        ListValue.of(PlaceChange.between(differing.before(), differing.after()).stream()
                                .map(PreviewJson::change)
                                .toList()))
                .build();
    }

    private static Value change(PlaceChange change) {
        MapValue.Builder json =
                MapValue.builder().put("path", new Text(change.place().toString()));
        if (change.before() != null) {
            json.put("before", change.before());
        }
        if (change.after() != null) {
            json.put("after", change.after());
        }
        return json.build();
    }
}
