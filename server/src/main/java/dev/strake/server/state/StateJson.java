package dev.strake.server.state;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.change.Note;
import dev.strake.serdes.outcome.ProblemJson;
import dev.strake.topology.layout.ChangesLayout;
import dev.strake.topology.layout.DocumentsLayout;
import dev.strake.topology.layout.RevisionsLayout.Revision;
import dev.strake.topology.query.HeldBack;
import dev.strake.topology.query.Trouble;
import dev.strake.topology.store.NumberedRevision;
import dev.strake.topology.store.StoredRevision.Read;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * State as JSON. A list is an object with {@code items} and with members that describe the list. All pages but the last
 * have {@code next}, the start of the next page:
 *
 * <pre>{@code
 * workspaces  {"items": [{"workspace", "revision", "status", "renderedRevision", "documents", "rendered", "time",
 *              "principal"?, "author"?, "message"?, "problems"?, "waiting"?, "cause"?: {"code", "document"}, "since"?}, ...]}
 * revisions   {"workspace", "items": [{"revision", "time", "changeId", "type", "bucket", "status", "renderedRevision",
 *              "documents": {"total", "added", "changed", "removed"}, "affected", "evaluated", "emitted", "removed",
 *              "rendered", "contentHash", "tags": {...}, "latencyMillis"?, "restored"?, "principal"?, "author"?, "message"?}, ...]}
 * tags        {"workspace", "items": [{"tag", "revision", "time", "data"}, ...]}
 * documents   {"workspace", "revision", "status", "renderedRevision", "items": [{"bucket", "since", "document", "origin"?}, ...]}
 * rendered    {..., "heldBack"?: {"documents", "items": [{"schema", "name", "published"}, ...]}, "items": [document, ...]}
 * problems    {..., "items": [problem with "begun": {"revision", "time", "changeId", "type", "bucket", "before", "restored"?, "principal"?, "author"?, "message"?}, ...]}
 * buckets     {..., "items": [{"bucket", "documents"}, ...]}
 * diff        {"workspace", "from", "to", "documents", "rendered"}, see DifferencesJson
 * }</pre>
 *
 * <p>{@code since} of a document is the revision that last changed it.
 *
 * <p>With a query, items of documents and rendered are
 * {@code {"schema", "layer", "name", "selected": [{"path", "value"}, ...]}}, for documents with a match. If limits
 * ended the selection, {@code "complete": false} follows.
 */
final class StateJson {

    /** The maximum number of documents listed by name. */
    static final int MOST_NAMES = 20;

    private StateJson() {}

    /**
     * Why consumers do not have the complete head.
     *
     * @param since the time of the first revision that they do not have, in milliseconds
     */
    record Held(Trouble trouble, long since) {}

    static Value workspace(String name, long head, Revision revision, Optional<Held> held) {
        MapValue json = of(name, head)
                .with("status", revision.status().text())
                .with("renderedRevision", revision.published().revision())
                .with("documents", revision.documents().total())
                .with("rendered", revision.published().records())
                .with("time", time(revision));
        MapValue noted = withNote(json, revision.change().note());
        return held.isEmpty()
                ? noted
                : withCause(noted, held.get().trouble())
                        .with("since", Instant.ofEpochMilli(held.get().since()).toString());
    }

    /* Omits the message, which may be long, as the list may have many workspaces. */
    private static MapValue withCause(MapValue json, Trouble trouble) {
        MapValue counted = json.with(
                        "problems", trouble.count().problems() + trouble.count().waiting())
                .with("waiting", trouble.count().waiting());
        return trouble.cause()
                .map(cause -> counted.with(
                        "cause",
                        MapValue.of("code", cause.code().code())
                                .with(
                                        "document",
                                        cause.document() == null ? Null.NULL : ProblemJson.write(cause.document()))))
                .orElse(counted);
    }

    /**
     * Documents that are held back because of a problem; {@code published} says whether consumers have an earlier
     * record.
     */
    static MapValue heldBack(HeldBack documents) {
        List<Value> items = documents.some().entrySet().stream()
                .<Value>map(each -> MapValue.builder()
                        .put("schema", each.getKey().schema())
                        .put("name", each.getKey().name())
                        .put("published", each.getValue())
                        .build())
                .toList();
        return MapValue.of("documents", documents.documents()).with("items", ListValue.of(items));
    }

    /** Returns the first members of a list. */
    static MapValue of(String workspace, long revision) {
        return MapValue.of("workspace", workspace).with("revision", revision);
    }

    /** @param shown the redacted document */
    static Value document(Read<DocumentsLayout.Entry> read, MapValue shown) {
        MapValue.Builder json = MapValue.builder()
                .put("bucket", read.entry().bucket())
                .put("since", read.entry().since())
                .put("document", shown);
        read.entry().document().origin().ifPresent(origin -> json.put("origin", origin));
        return json.build();
    }

    static Value bucket(String bucket, int documents) {
        return MapValue.of("bucket", bucket).with("documents", documents);
    }

    /** Returns the first members of a comparison. */
    static MapValue ofTwo(String workspace, long from, long to) {
        return MapValue.of("workspace", workspace).with("from", from).with("to", to);
    }

    static Value tag(NumberedRevision revision, String tag, MapValue data) {
        return MapValue.of("tag", tag)
                .with("revision", revision.number())
                .with("time", time(revision.revision()))
                .with("data", data);
    }

    static MapValue applied(String workspace, String id, ChangesLayout.Applied applied) {
        return MapValue.builder()
                .put("workspace", workspace)
                .put("changeId", id)
                .put("status", applied.status().text())
                .put("revision", applied.revision())
                .put("time", Instant.ofEpochMilli(applied.time()).toString())
                .build();
    }

    private static Text time(Revision revision) {
        return new Text(Instant.ofEpochMilli(revision.time()).toString());
    }

    static Value revision(NumberedRevision numbered, OptionalLong latency) {
        Revision revision = numbered.revision();
        MapValue json = change(numbered)
                .put("status", revision.status().text())
                .put("renderedRevision", revision.published().revision())
                .put(
                        "documents",
                        MapValue.builder()
                                .put("total", revision.documents().total())
                                .put("added", revision.documents().added())
                                .put("changed", revision.documents().changed())
                                .put("removed", revision.documents().removed())
                                .build())
                .put("affected", revision.work().affected())
                .put("evaluated", revision.work().evaluated())
                .put("emitted", revision.work().emitted())
                .put("removed", revision.work().removed())
                .put("rendered", revision.published().records())
                .put("contentHash", revision.published().digest().toString())
                .put("tags", tags(revision))
                .build();
        return withChange(latency.isEmpty() ? json : json.with("latencyMillis", latency.getAsLong()), revision);
    }

    /** @param before the last kept revision below the one that began a problem */
    static MapValue begun(NumberedRevision made, long before) {
        return withChange(change(made).put("before", before).build(), made.revision());
    }

    private static MapValue.Builder change(NumberedRevision made) {
        Revision revision = made.revision();
        return MapValue.builder()
                .put("revision", made.number())
                .put("time", time(revision))
                .put("changeId", revision.change().id())
                .put("type", revision.change().type())
                .put("bucket", revision.change().bucket());
    }

    private static MapValue withChange(MapValue json, Revision revision) {
        Long restored = revision.change().restored();
        return withNote(
                restored == null ? json : json.with("restored", restored),
                revision.change().note());
    }

    private static MapValue tags(Revision revision) {
        MapValue.Builder tags = MapValue.builder();
        revision.tags().forEach(tags::put);
        return tags.build();
    }

    private static MapValue withNote(MapValue json, Note note) {
        MapValue proven = note.principal() == null ? json : json.with("principal", note.principal());
        MapValue result = note.author() == null ? proven : proven.with("author", note.author());
        return note.message() == null ? result : result.with("message", note.message());
    }
}
