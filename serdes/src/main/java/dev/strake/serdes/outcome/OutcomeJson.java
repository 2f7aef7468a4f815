package dev.strake.serdes.outcome;

import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.RecentShapes;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.TimeText;
import dev.strake.serdes.change.Carried;
import dev.strake.serdes.change.Note;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;

/**
 * An outcome as JSON, members in this order:
 *
 * <pre>{@code
 * {"workspace", "changeId", "type", "bucket"?, "status", "wouldBe"?, "revision", "renderedRevision",
 *  "documents": {"total", "added", "changed", "removed"},
 *  "affected", "evaluated", "emitted", "removed", "rendered", "contentHash",
 *  "problems": [...], "warnings": [...], "input", "time", "source"?, "changeTime"?, "traceparent"?,
 *  and of a dry run "cutOff", "differences", "appearing", "vanishing", "complete": see PreviewJson}
 * }</pre>
 *
 * <p>Members with a question mark are left out if they have no value. {@code revision}, {@code renderedRevision} and
 * {@code contentHash} are null if they have no value. Numbers are integers, {@code time} is RFC 3339 in UTC.
 */
public final class OutcomeJson {

    /** Nearly all outcomes use the same few sets of keys. */
    private static final RecentShapes SHAPES = new RecentShapes();

    /** Members that only outcomes of dry runs have, written by {@link PreviewJson}. */
    private static final List<String> OF_PREVIEW = List.of(
            "cutOff", "differences", "waiting", "appearing", "vanishing", "staying", "problemCounts", "complete");

    private OutcomeJson() {}

    /** Returns the value of an outcome's record. */
    public static byte[] write(Outcome outcome) {
        return JsonBytes.of(tree(outcome));
    }

    public static MapValue tree(Outcome outcome) {
        Outcome.Change change = outcome.change();
        MapValue.Builder json = MapValue.builder()
                .add("workspace", new Text(outcome.workspace()))
                .add("changeId", new Text(change.id()))
                .add("type", new Text(change.type()));
        addIfAny(json, "bucket", change.bucket());
        Outcome.Documents documents = outcome.documents();
        json.add("status", new Text(outcome.status().text()));
        addIfAny(
                json,
                "wouldBe",
                outcome.planned() == null ? null : outcome.planned().wouldBe().text());
        json.add("revision", numberOrNull(outcome.revision()))
                .add("renderedRevision", numberOrNull(outcome.published().revision()))
                .add(
                        "documents",
                        MapValue.builder()
                                .add("total", Num.of(documents.total()))
                                .add("added", Num.of(documents.added()))
                                .add("changed", Num.of(documents.changed()))
                                .add("removed", Num.of(documents.removed()))
                                .build(SHAPES))
                .add("affected", Num.of(outcome.work().affected()))
                .add("evaluated", Num.of(outcome.work().evaluated()))
                .add("emitted", Num.of(outcome.work().emitted()))
                .add("removed", Num.of(outcome.work().removed()))
                .add("rendered", Num.of(outcome.published().records()))
                .add("contentHash", ProblemJson.textOrNull(outcome.published().contentHash()))
                .add("problems", ProblemJson.writeWithCauses(outcome.problems()))
                .add("warnings", ProblemJson.write(outcome.warnings()))
                .add("input", new Text(change.input()))
                .add("time", new Text(TimeText.of(outcome.time())));
        addIfAny(json, "source", change.carried().source());
        addIfAny(json, "changeTime", change.carried().time());
        addIfAny(json, "traceparent", change.carried().traceparent());
        addIfAny(json, "principal", change.note().principal());
        addIfAny(json, "author", change.note().author());
        addIfAny(json, "message", change.note().message());
        MapValue tree = json.build(SHAPES);
        return outcome.planned() == null || outcome.planned().preview() == null
                ? tree
                : tree.updatedWith(outcome.planned().preview());
    }

    /**
     * Parses the value of an outcome's record. Unknown members are ignored.
     *
     * @throws IllegalArgumentException if the bytes are not an outcome
     */
    public static Outcome read(byte[] json) {
        JsonMembers members = JsonMembers.of(JsonReader.read(json));
        JsonMembers documents =
                JsonMembers.of(members.map().get("documents") instanceof MapValue map ? map : Null.NULL);
        String wouldBe = members.textOrNull("wouldBe");
        return new Outcome(
                members.text("workspace"),
                new Outcome.Change(
                        members.text("changeId"),
                        members.text("type"),
                        members.textOrNull("bucket"),
                        members.text("input"),
                        new Carried(
                                members.textOrNull("source"),
                                members.textOrNull("changeTime"),
                                members.textOrNull("traceparent")),
                        new Note(
                                members.textOrNull("author"),
                                members.textOrNull("message"),
                                members.textOrNull("principal"))),
                OutcomeStatus.of(members.text("status")),
                new Outcome.Result(
                        members.numberOrNull("revision"),
                        new Outcome.Documents(
                                documents.count("total"),
                                documents.count("added"),
                                documents.count("changed"),
                                documents.count("removed")),
                        new Outcome.Work(
                                members.count("affected"),
                                members.count("evaluated"),
                                members.count("emitted"),
                                members.count("removed")),
                        new Outcome.Published(
                                members.numberOrNull("renderedRevision"),
                                members.count("rendered"),
                                members.textOrNull("contentHash"))),
                new Outcome.Findings(
                        members.list("problems").stream().map(ProblemJson::read).toList(),
                        members.list("warnings").stream().map(ProblemJson::read).toList()),
                time(members.text("time")),
                wouldBe == null ? null : new Outcome.Planned(OutcomeStatus.of(wouldBe), preview(members.map())));
    }

    /* Null if the outcome has no preview. */
    private static MapValue preview(MapValue outcome) {
        if (!outcome.has("differences")) {
            return null;
        }
        MapValue.Builder preview = MapValue.builder();
        OF_PREVIEW.stream().filter(outcome::has).forEach(member -> preview.put(member, outcome.get(member)));
        return preview.build();
    }

    private static Instant time(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("the member time has to be a time of RFC 3339", e);
        }
    }

    private static void addIfAny(MapValue.Builder json, String name, String text) {
        if (text != null) {
            json.add(name, new Text(text));
        }
    }

    private static Value numberOrNull(Long number) {
        return number == null ? Null.NULL : Num.of(number);
    }
}
