package dev.strake.topology;

import dev.strake.engine.document.DocumentId;
import dev.strake.engine.document.DocumentKey;
import dev.strake.engine.document.Problem;
import dev.strake.engine.document.ProblemCode;
import dev.strake.engine.graph.Facts;
import dev.strake.engine.render.Digest;
import dev.strake.engine.render.Evaluation;
import dev.strake.engine.render.Output;
import dev.strake.engine.tree.Value;
import dev.strake.engine.workspace.Edit;
import dev.strake.engine.workspace.Workspace;
import dev.strake.serdes.bytes.UnreadableStoreException;
import dev.strake.serdes.store.DocumentsLayout;
import dev.strake.serdes.store.LayerGraphLayout;
import dev.strake.serdes.store.RenderedLayout;
import dev.strake.serdes.store.RevisionsLayout;
import dev.strake.serdes.store.RevisionsLayout.Horizon;
import dev.strake.serdes.store.RevisionsLayout.Revision;
import dev.strake.serdes.store.RevisionsLayout.Touched;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.common.serialization.BytesSerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/** Reads workspaces out of the stores: their heads, and any revision of their history. */
final class StateReader {

    private static final int MOST_TAGGED = 20;

    private final ReadOnlyKeyValueStore<Bytes, byte[]> documents;
    private final ReadOnlyKeyValueStore<Bytes, byte[]> revisions;
    private final ReadOnlyKeyValueStore<Bytes, byte[]> graph;
    private final ReadOnlyKeyValueStore<Bytes, byte[]> rendered;

    StateReader(Function<String, ReadOnlyKeyValueStore<Bytes, byte[]>> stores) {
        this.documents = stores.apply(DocumentsLayout.STORE);
        this.revisions = stores.apply(RevisionsLayout.STORE);
        this.graph = stores.apply(LayerGraphLayout.STORE);
        this.rendered = stores.apply(RenderedLayout.STORE);
    }

    /** The number of the last revision; 0 if there is none. */
    long lastRevision(String workspace) {
        return last(revisions, RevisionsLayout.key(workspace, 0), RevisionsLayout.key(workspace, Long.MAX_VALUE))
                .map(entry -> RevisionsLayout.revision(entry.key.get()))
                .orElse(0L);
    }

    /** A revision; null if it does not exist, or not any more. */
    Revision revision(String workspace, long number) {
        byte[] key = RevisionsLayout.key(workspace, number);
        byte[] value = revisions.get(Bytes.wrap(key));
        return value == null || number < horizon(workspace).start() ? null : RevisionsLayout.read(key, value);
    }

    /** The number of the first revision at or behind a number that is there; 0 if none is. */
    long revisionFrom(String workspace, long number) {
        if (revisions.get(Bytes.wrap(RevisionsLayout.key(workspace, number))) != null) {
            return number; // it nearly always is, and asking costs less than searching
        }
        return first(revisions, RevisionsLayout.key(workspace, number), RevisionsLayout.key(workspace, Long.MAX_VALUE))
                .map(entry -> RevisionsLayout.revision(entry.key.get()))
                .orElse(0L);
    }

    /** The number of the last revision below a number that is there; 0 if none is. */
    long revisionBelow(String workspace, long number) {
        return last(revisions, RevisionsLayout.key(workspace, 0), RevisionsLayout.key(workspace, number - 1))
                .map(entry -> RevisionsLayout.revision(entry.key.get()))
                .orElse(0L);
    }

    /** The revisions of a workspace that are there, by number. */
    SortedMap<Long, Revision> revisions(String workspace) {
        SortedMap<Long, Revision> result = new TreeMap<>();
        long start = horizon(workspace).start();
        range(
                revisions,
                RevisionsLayout.key(workspace, start),
                RevisionsLayout.key(workspace, Long.MAX_VALUE),
                (key, value) -> result.put(RevisionsLayout.revision(key), RevisionsLayout.read(key, value)));
        return result;
    }

    /** How far the history of a workspace was pruned. */
    Horizon horizon(String workspace) {
        byte[] key = RevisionsLayout.horizonKey(workspace);
        byte[] value = revisions.get(Bytes.wrap(key));
        return value == null ? Horizon.NONE : RevisionsLayout.readHorizon(key, value);
    }

    /** Why a workspace does not have a revision that was asked for: it never had, or it was pruned. */
    Problem missing(String workspace, long number) {
        long last = lastRevision(workspace);
        if (number < 1 || number > last) {
            return Problem.of(
                    ProblemCode.REVISION_NOT_FOUND,
                    "the workspace has no revision " + number + (last == 0 ? "" : "; its last one is " + last),
                    "list its revisions");
        }
        Horizon horizon = horizon(workspace);
        if (number < horizon.start()) {
            return Problem.of(
                    ProblemCode.REVISION_NOT_FOUND,
                    "revision " + number + " went when the workspace was deleted, which made revision "
                            + horizon.start(),
                    "a deletion keeps nothing, not even what is tagged");
        }
        SortedMap<Long, Revision> kept = revisions(workspace);
        List<Long> tagged = List.copyOf(kept.headMap(horizon.first()).keySet());
        String others = tagged.isEmpty()
                ? ""
                : ", and of older ones the tagged "
                        + tagged.subList(0, Math.min(MOST_TAGGED, tagged.size())).stream()
                                .map(String::valueOf)
                                .collect(Collectors.joining(", "))
                        + (tagged.size() > MOST_TAGGED ? ", …" : "");
        return Problem.of(
                ProblemCode.REVISION_NOT_FOUND,
                "revision " + number + " was pruned; kept are "
                        + kept.tailMap(horizon.first()).firstKey() + " to " + last + others,
                "tag a revision that has to stay, or keep more of them: strake.history.revisions, strake.history.age");
    }

    /** The head of a workspace, read from the heads of its documents. */
    Workspace open(String workspace) {
        long number = lastRevision(workspace);
        if (number == 0) {
            return Workspace.EMPTY;
        }
        Revision last = revision(workspace, number);
        Map<DocumentId, Facts> facts = new LinkedHashMap<>();
        Map<DocumentId, Evaluation> evaluations = new HashMap<>();
        forEachHead(workspace, (id, head) -> {
            facts.put(id, head.facts());
            evaluations.put(id, head.evaluation());
        });
        Map<DocumentKey, Optional<Output>> held = new HashMap<>();
        scan(
                rendered,
                RenderedLayout.heldPrefix(workspace),
                (key, value) -> held.put(RenderedLayout.held(key), RenderedLayout.readHeld(key, value)));
        Workspace head = Workspace.restored(
                number, last.renderedRevision(), facts, evaluations, held, last.rendered(), last.digest());
        checkWhole(workspace, last, head, facts.keySet());
        return head;
    }

    /*
     * What was read has to add up to what the revision says: a store that lost entries, or is not as far as another one,
     * must stop the task here and not answer as if the entries had never been.
     */
    private static void checkWhole(String workspace, Revision last, Workspace head, Set<DocumentId> documents) {
        List<Output> published = new ArrayList<>();
        long newest = 0;
        for (DocumentId id : documents) {
            Evaluation evaluation = head.evaluation(id);
            newest = Math.max(
                    newest,
                    Math.max(evaluation.changedAt(), head.graph().facts(id).since()));
            if (evaluation.output() != null && !head.held().containsKey(id.key())) {
                published.add(evaluation.output());
            }
        }
        head.held().values().forEach(output -> output.ifPresent(published::add));
        Digest digest = Digest.ZERO;
        for (Output output : published) {
            digest = digest.plus(output.digest());
        }
        if (documents.size() != last.documents()
                || published.size() != last.rendered()
                || newest > head.revision()
                || !digest.equals(last.digest())) {
            throw new UnreadableStoreException(
                    LayerGraphLayout.STORE,
                    LayerGraphLayout.headPrefix(workspace),
                    "and those that begin like it (%d documents, %d of them published, the newest of revision %d) do not add up to revision %d in store %s (%d documents, %d published): entries are missing"
                            .formatted(
                                    documents.size(),
                                    published.size(),
                                    newest,
                                    head.revision(),
                                    RevisionsLayout.STORE,
                                    last.documents(),
                                    last.rendered()));
        }
    }

    void forEachHead(String workspace, BiConsumer<DocumentId, LayerGraphLayout.Head> action) {
        scan(
                graph,
                LayerGraphLayout.headPrefix(workspace),
                (key, value) -> action.accept(LayerGraphLayout.document(key), LayerGraphLayout.readHead(key, value)));
    }

    /**
     * What was touched behind one revision and up to another, both of them there; also by revisions in between that
     * are not there any more.
     */
    List<Touched> touched(String workspace, long after, long last) {
        List<Touched> result = new ArrayList<>();
        if (after < last) { // the store would warn of such a range
            range(
                    revisions,
                    RevisionsLayout.touchedKey(workspace, after + 1, 0),
                    RevisionsLayout.touchedKey(workspace, last, Integer.MAX_VALUE),
                    (key, value) -> result.addAll(RevisionsLayout.readTouched(key, value)));
            range(
                    revisions,
                    RevisionsLayout.gapPrefix(workspace, after),
                    RevisionsLayout.gapPrefix(workspace, last),
                    (key, value) -> result.add(RevisionsLayout.readGap(key, value)));
        }
        return result;
    }

    /** The documents of the head and all that came and went since a revision. */
    Set<DocumentId> documentsSince(String workspace, long revision) {
        Set<DocumentId> ids = new TreeSet<>();
        forEachHead(workspace, (id, head) -> ids.add(id));
        touched(workspace, revision, Long.MAX_VALUE).forEach(touched -> ids.add(touched.document()));
        return ids;
    }

    /** All documents that can differ between two revisions, the earlier one first. */
    Set<DocumentId> documentsBetween(String workspace, long from, long to) {
        if (from == 0) { // nothing was there, and what came since may be pruned: all that is there now came
            return documentsSince(workspace, to);
        }
        Set<DocumentId> ids = new TreeSet<>();
        touched(workspace, from, to).forEach(touched -> ids.add(touched.document()));
        return ids;
    }

    /**
     * What it takes to bring the documents of a workspace back to what they were in a revision: an edit for each
     * document that was touched since.
     *
     * @param revision one that is there, or 0 for no documents at all
     */
    Map<DocumentId, Edit> editsBackTo(String workspace, long revision) {
        Map<DocumentId, Edit> edits = new TreeMap<>();
        if (revision == 0) {
            forEachHead(workspace, (id, head) -> edits.put(id, Edit.REMOVAL));
            return edits;
        }
        for (Touched touched : touched(workspace, revision, Long.MAX_VALUE)) {
            if (touched.edited()) {
                edits.computeIfAbsent(touched.document(), id -> {
                    DocumentsLayout.Entry then = documentAsOf(workspace, id, revision);
                    return then.isRemoved() ? Edit.REMOVAL : Edit.of(then.document(), then.bucket());
                });
            }
        }
        return edits;
    }

    /** A document as published, at the revision that wrote it. */
    DocumentsLayout.Entry document(String workspace, DocumentId id, long writtenAt) {
        byte[] key = DocumentsLayout.key(workspace, id, writtenAt);
        return DocumentsLayout.read(key, required(documents, key));
    }

    /** A document as of a revision; removed if it did not exist then. */
    DocumentsLayout.Entry documentAsOf(String workspace, DocumentId id, long revision) {
        return last(documents, DocumentsLayout.key(workspace, id, 0), DocumentsLayout.key(workspace, id, revision))
                .map(entry -> DocumentsLayout.read(entry.key.get(), entry.value))
                .orElse(DocumentsLayout.Entry.REMOVED);
    }

    /** A document's edges in the layer graph as of a revision; removed if it did not exist then. */
    LayerGraphLayout.Edges edgesAsOf(String workspace, DocumentId id, long revision) {
        return last(
                        graph,
                        LayerGraphLayout.edgesKey(workspace, id, 0),
                        LayerGraphLayout.edgesKey(workspace, id, revision))
                .map(entry -> LayerGraphLayout.readEdges(entry.key.get(), entry.value))
                .orElse(LayerGraphLayout.Edges.REMOVED);
    }

    /** What a document rendered to, at the revision that wrote it. */
    RenderedLayout.Rendering rendering(String workspace, DocumentId id, long writtenAt) {
        byte[] key = RenderedLayout.key(workspace, id, writtenAt);
        return RenderedLayout.read(key, required(rendered, key));
    }

    /**
     * The data that a document rendered to, at the revision that wrote it. Where the rendering has none, it is what was
     * published then: the document of today may have come to the same data in another way.
     */
    Value renderedData(String workspace, DocumentId id, long writtenAt) {
        Value data = rendering(workspace, id, writtenAt).data();
        return data == null ? documentAsOf(workspace, id, writtenAt).document().data() : data;
    }

    /** What a document rendered to as of a revision; removed if it did not exist then. */
    RenderedLayout.Rendering renderingAsOf(String workspace, DocumentId id, long revision) {
        return last(rendered, RenderedLayout.key(workspace, id, 0), RenderedLayout.key(workspace, id, revision))
                .map(entry -> RenderedLayout.read(entry.key.get(), entry.value))
                .orElse(RenderedLayout.Rendering.REMOVED);
    }

    private static byte[] required(ReadOnlyKeyValueStore<Bytes, byte[]> store, byte[] key) {
        byte[] value = store.get(Bytes.wrap(key));
        if (value == null) {
            throw new IllegalStateException("a store lacks the entry that its head points to: " + Bytes.wrap(key)
                    + "; wipe the local state of this task, it is restored from the changelog");
        }
        return value;
    }

    /* Both bounds are in the range, and of one length and prefix, so every hit is a key of the same kind. */
    static Optional<KeyValue<Bytes, byte[]>> last(ReadOnlyKeyValueStore<Bytes, byte[]> store, byte[] from, byte[] to) {
        try (KeyValueIterator<Bytes, byte[]> entries = store.reverseRange(Bytes.wrap(from), Bytes.wrap(to))) {
            return entries.hasNext() ? Optional.of(entries.next()) : Optional.empty();
        }
    }

    static Optional<KeyValue<Bytes, byte[]>> first(ReadOnlyKeyValueStore<Bytes, byte[]> store, byte[] from, byte[] to) {
        try (KeyValueIterator<Bytes, byte[]> entries = store.range(Bytes.wrap(from), Bytes.wrap(to))) {
            return entries.hasNext() ? Optional.of(entries.next()) : Optional.empty();
        }
    }

    private static void range(
            ReadOnlyKeyValueStore<Bytes, byte[]> store, byte[] from, byte[] to, BiConsumer<byte[], byte[]> action) {
        try (KeyValueIterator<Bytes, byte[]> entries = store.range(Bytes.wrap(from), Bytes.wrap(to))) {
            while (entries.hasNext()) {
                KeyValue<Bytes, byte[]> entry = entries.next();
                action.accept(entry.key.get(), entry.value);
            }
        }
    }

    static void scan(ReadOnlyKeyValueStore<Bytes, byte[]> store, byte[] prefix, BiConsumer<byte[], byte[]> action) {
        try (KeyValueIterator<Bytes, byte[]> entries = store.prefixScan(Bytes.wrap(prefix), new BytesSerializer())) {
            while (entries.hasNext()) {
                KeyValue<Bytes, byte[]> entry = entries.next();
                byte[] key = entry.key.get();
                if (Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length)) {
                    action.accept(key, entry.value);
                }
            }
        }
    }
}
