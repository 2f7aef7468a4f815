package dev.strake.server.state;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.change.Note;
import dev.strake.serdes.outcome.ProblemJson;
import dev.strake.serdes.store.DocumentsLayout;
import dev.strake.serdes.store.RevisionsLayout.Revision;
import dev.strake.topology.query.WorkspaceQueries.Difference;
import dev.strake.topology.query.WorkspaceQueries.Differences;
import dev.strake.topology.store.NumberedRevision;
import dev.strake.topology.store.StoredRevision.Read;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * State as JSON. A list is the one member of an object beside those that say what it is a list of; behind a page that is
 * not the last, {@code next} says where the next one begins:
 *
 * <pre>{@code
 * revisions   {"workspace", "items": [{"revision", "time", "changeId", "type", "bucket", "status", "renderedRevision",
 *              "documents": {"total", "added", "changed", "removed"}, "affected", "evaluated", "emitted", "removed",
 *              "rendered", "contentHash", "tags": {...}}, ...]}
 * documents   {"workspace", "revision", "items": [{"bucket", "document"}, ...]}
 * rendered    {"workspace", "revision", "items": [document, ...]}
 * problems    {"workspace", "revision", "items": [problem, ...]}
 * buckets     {"workspace", "revision", "items": [{"bucket", "documents"}, ...]}
 * diff        {"workspace", "from", "to", "documents": [{"schema", "layer", "name", "difference"}, ...],
 *              "rendered": [{"schema", "name", "difference"}, ...]}
 * }</pre>
 */
final class StateJson {

    private StateJson() {}

    /** What a list is a list of. */
    static MapValue of(String workspace, long revision) {
        return MapValue.builder()
                .put("workspace", new Text(workspace))
                .put("revision", Num.of(revision))
                .build();
    }

    static Value document(Read<DocumentsLayout.Entry> read) {
        return MapValue.builder()
                .put("bucket", new Text(read.entry().bucket()))
                .put("document", read.entry().document().tree())
                .build();
    }

    static Value problem(Problem problem) {
        return ProblemJson.write(problem);
    }

    static Value bucket(String bucket, int documents) {
        return MapValue.builder()
                .put("bucket", new Text(bucket))
                .put("documents", Num.of(documents))
                .build();
    }

    static MapValue diff(String workspace, long from, long to, Differences differences, MapValue origin) {
        List<Value> documents = new ArrayList<>();
        differences.documents().forEach((id, difference) -> documents.add(difference(id, difference)));
        List<Value> rendered = new ArrayList<>();
        differences.rendered().forEach((key, difference) -> rendered.add(difference(key, difference)));
        MapValue.Builder diff = MapValue.builder()
                .put("workspace", new Text(workspace))
                .put("from", Num.of(from))
                .put("to", Num.of(to))
                .put("documents", ListValue.of(documents))
                .put("rendered", ListValue.of(rendered));
        origin.keys().forEach(key -> diff.put(key, origin.get(key)));
        return diff.build();
    }

    static Value revision(NumberedRevision numbered) {
        Revision revision = numbered.revision();
        MapValue json = MapValue.builder()
                .put("revision", Num.of(numbered.number()))
                .put("time", new Text(Instant.ofEpochMilli(revision.time()).toString()))
                .put("changeId", new Text(revision.change().id()))
                .put("type", new Text(revision.change().type()))
                .put(
                        "bucket",
                        revision.change().bucket() == null
                                ? Null.NULL
                                : new Text(revision.change().bucket()))
                .put("status", new Text(revision.status().text()))
                .put("renderedRevision", Num.of(revision.published().revision()))
                .put(
                        "documents",
                        MapValue.builder()
                                .put("total", Num.of(revision.documents().total()))
                                .put("added", Num.of(revision.documents().added()))
                                .put("changed", Num.of(revision.documents().changed()))
                                .put("removed", Num.of(revision.documents().removed()))
                                .build())
                .put("affected", Num.of(revision.work().affected()))
                .put("evaluated", Num.of(revision.work().evaluated()))
                .put("emitted", Num.of(revision.work().emitted()))
                .put("removed", Num.of(revision.work().removed()))
                .put("rendered", Num.of(revision.published().records()))
                .put("contentHash", new Text(revision.published().digest().toString()))
                .put("tags", MapValue.of(revision.tags()))
                .build();
        return withNote(json, revision.note());
    }

    private static MapValue withNote(MapValue json, Note note) {
        MapValue result = note.author() == null ? json : json.with("author", new Text(note.author()));
        return note.message() == null ? result : result.with("message", new Text(note.message()));
    }

    private static Value difference(DocumentId id, Difference difference) {
        return MapValue.builder()
                .put("schema", new Text(id.schema()))
                .put("layer", id.layer().isEmpty() ? Null.NULL : new Text(id.layer()))
                .put("name", new Text(id.name()))
                .put("difference", text(difference))
                .build();
    }

    private static Value difference(DocumentKey key, Difference difference) {
        return MapValue.builder()
                .put("schema", new Text(key.schema()))
                .put("name", new Text(key.name()))
                .put("difference", text(difference))
                .build();
    }

    private static Text text(Difference difference) {
        return new Text(difference.name().toLowerCase(Locale.ROOT));
    }
}
