package dev.strake.serdes.outcome;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCause;
import dev.strake.engine.problem.ProblemCount;
import dev.strake.engine.tree.Bool;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The preview of a change, as JSON:
 *
 * <pre>{@code
 * {"wouldBe": "rendered" | "failed" | "partial" | "unchanged",
 *  "documents": {"total", "added", "changed", "removed"},
 *  "affected", "evaluated", "emitted", "removed", "rendered", "problems": [problem, ...], "warnings": [problem, ...],
 *  "cutOff",
 *  "differences": [{"schema", "name", "difference": "created" | "modified" | "deleted",
 *                   "changes"?: [{"path", "before", "after"}, ...]}, ...],
 *  "waiting": [as differences: those that a revision that fails would hold back],
 *  "appearing": [problem, ...], "vanishing": [problem, ...], "staying": number of problems,
 *  "problemCounts": {"appearing": {"problems", "waiting"}, "vanishing": {...}, "staying": {...}}: causes, and problems that wait,
 *  "complete": whether nothing was left out}
 * }</pre>
 *
 * <p>Paths are in the rendered document. An added value has no {@code before}, a removed value no {@code after}. If the
 * changes exceed the limit, the changes of the last documents are left out. A thousand problems of a kind are listed.
 *
 * <p>More clients may read outcomes than rendered documents. So changes in an outcome are paths without values, and
 * secret documents have none. Each list of differences or problems is cut after a megabyte.
 */
public final class PreviewJson {

    /** The largest number of listed problems of one kind. */
    private static final int MOST_PROBLEMS = 1_000;

    /** The most bytes of each list in an outcome. Four lists of problems and two of differences fit into a record. */
    private static final long MOST_BYTES_IN_OUTCOME = 1 << 20;

    /** Additional members of a preview without content. The number of staying problems is unknown, so it is absent. */
    public static final MapValue NOTHING = MapValue.builder()
            .put("cutOff", Num.of(0))
            .put("differences", ListValue.EMPTY)
            .put("waiting", ListValue.EMPTY)
            .put("appearing", ListValue.EMPTY)
            .put("vanishing", ListValue.EMPTY)
            .put("complete", Bool.TRUE)
            .build();

    private PreviewJson() {}

    /**
     * The additional members of a preview if nothing would change.
     *
     * @param staying the problems of the head
     */
    public static MapValue unchanged(List<Problem> staying) {
        ProblemCount none = new ProblemCount(0, 0);
        return NOTHING.with("staying", Num.of(staying.size()))
                .with("problemCounts", counts(none, none, ProblemCount.of(staying, ProblemCause.among(staying))));
    }

    public static MapValue write(Preview preview) {
        Update update = preview.update();
        String status =
                update.edits().isEmpty() ? "unchanged" : update.status().name().toLowerCase(Locale.ROOT);
        return MapValue.builder()
                .put("wouldBe", new Text(status))
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
                .put("emitted", Num.of(update.emissions().size() - update.removed()))
                .put("removed", Num.of(update.removed()))
                .put("rendered", Num.of(update.next().holdings().records()))
                .put("problems", ProblemJson.writeWithCauses(update.next().problems(MOST_PROBLEMS)))
                .put("warnings", ProblemJson.write(update.warnings()))
                .build()
                .updatedWith(beside(preview));
    }

    /** Returns the members of a preview that an outcome of the same change does not have. */
    public static MapValue beside(Preview preview) {
        return members(preview, true, Long.MAX_VALUE);
    }

    /** As {@link #beside}, for an outcome: bounded, and without values of documents. */
    public static MapValue inOutcome(Preview preview) {
        return members(preview, false, MOST_BYTES_IN_OUTCOME);
    }

    private static MapValue members(Preview preview, boolean hasValues, long mostBytes) {
        List<Value> differences = upTo(mostBytes, preview.rendered(), each -> difference(each, hasValues));
        List<Value> waiting = upTo(mostBytes, preview.waiting(), each -> difference(each, hasValues));
        List<Problem> all = new ArrayList<>(preview.appearing());
        all.addAll(preview.staying());
        Function<DocumentId, Problem> after = ProblemCause.among(all);
        Function<DocumentId, Problem> before = ProblemCause.among(preview.vanishing());
        List<Value> appearing = upTo(mostBytes, some(preview.appearing()), each -> ProblemJson.write(each, after));
        List<Value> vanishing = upTo(mostBytes, some(preview.vanishing()), each -> ProblemJson.write(each, before));
        MapValue counts = counts(
                ProblemCount.of(preview.appearing(), after),
                ProblemCount.of(preview.vanishing(), before),
                ProblemCount.of(preview.staying(), after));
        boolean isComplete = differences.size() == preview.rendered().size()
                && waiting.size() == preview.waiting().size()
                && appearing.size() == preview.appearing().size()
                && vanishing.size() == preview.vanishing().size()
                && Stream.of(preview.rendered(), preview.waiting())
                        .flatMap(List::stream)
                        .allMatch(each -> each.changes() != null);
        return MapValue.builder()
                .put("cutOff", Num.of(preview.update().work().cutOff()))
                .put("differences", ListValue.of(differences))
                .put("waiting", ListValue.of(waiting))
                .put("appearing", ListValue.of(appearing))
                .put("vanishing", ListValue.of(vanishing))
                .put("staying", Num.of(preview.staying().size()))
                .put("problemCounts", counts)
                .put("complete", Bool.of(isComplete))
                .build();
    }

    private static MapValue counts(ProblemCount appearing, ProblemCount vanishing, ProblemCount staying) {
        return MapValue.of("appearing", count(appearing))
                .with("vanishing", count(vanishing))
                .with("staying", count(staying));
    }

    private static MapValue count(ProblemCount count) {
        return MapValue.of("problems", Num.of(count.problems())).with("waiting", Num.of(count.waiting()));
    }

    private static <T> List<Value> upTo(long mostBytes, List<T> items, Function<T, Value> json) {
        List<Value> written = new ArrayList<>();
        long bytes = 0;
        for (T item : items) {
            Value value = json.apply(item);
            bytes += value.weight();
            if (bytes > mostBytes) {
                break;
            }
            written.add(value);
        }
        return written;
    }

    private static List<Problem> some(List<Problem> problems) {
        return problems.subList(0, Math.min(MOST_PROBLEMS, problems.size()));
    }

    private static Value difference(Differing differing, boolean hasValues) {
        MapValue.Builder json = MapValue.builder()
                .put("schema", new Text(differing.key().schema()))
                .put("name", new Text(differing.key().name()))
                .put("difference", new Text(differing.kind().name().toLowerCase(Locale.ROOT)));
        if (differing.changes() != null) {
            json.put(
                    "changes",
                    ListValue.of(differing.changes().stream()
                            .map(each -> hasValues ? change(each) : place(each))
                            .toList()));
        }
        return json.build();
    }

    private static Value place(PlaceChange change) {
        return MapValue.of("path", new Text(change.place().toString()));
    }

    static Value change(PlaceChange change) {
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
