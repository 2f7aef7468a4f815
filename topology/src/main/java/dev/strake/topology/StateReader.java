package dev.strake.topology;

import dev.strake.engine.document.DocumentId;
import dev.strake.engine.document.DocumentKey;
import dev.strake.engine.graph.Facts;
import dev.strake.engine.render.Digest;
import dev.strake.engine.render.Evaluation;
import dev.strake.engine.render.Output;
import dev.strake.engine.tree.Value;
import dev.strake.engine.workspace.Edit;
import dev.strake.engine.workspace.Workspace;
import dev.strake.serdes.store.DocumentsLayout;
import dev.strake.serdes.store.LayerGraphLayout;
import dev.strake.serdes.store.RenderedLayout;
import dev.strake.serdes.store.RevisionsLayout;
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
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.apache.kafka.common.serialization.BytesSerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/** Reads workspaces out of the stores: their heads, and any revision of their history. */
final class StateReader {

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

    /** A revision; null if it does not exist. */
    Revision revision(String workspace, long number) {
        byte[] key = RevisionsLayout.key(workspace, number);
        byte[] value = revisions.get(Bytes.wrap(key));
        return value == null ? null : RevisionsLayout.read(key, value);
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
        Digest digest = last.digest();
        return Workspace.restored(number, last.renderedRevision(), facts, evaluations, held, last.rendered(), digest);
    }

    void forEachHead(String workspace, BiConsumer<DocumentId, LayerGraphLayout.Head> action) {
        scan(
                graph,
                LayerGraphLayout.headPrefix(workspace),
                (key, value) -> action.accept(LayerGraphLayout.document(key), LayerGraphLayout.readHead(key, value)));
    }

    /** What revisions touched, from the first to the last of a range, both included. */
    List<Touched> touched(String workspace, long first, long last) {
        List<Touched> result = new ArrayList<>();
        if (first > last) {
            return result; // the store would warn of such a range
        }
        byte[] from = RevisionsLayout.touchedKey(workspace, first, 0);
        byte[] to = RevisionsLayout.touchedKey(workspace, last, Integer.MAX_VALUE);
        try (KeyValueIterator<Bytes, byte[]> entries = revisions.range(Bytes.wrap(from), Bytes.wrap(to))) {
            while (entries.hasNext()) {
                KeyValue<Bytes, byte[]> entry = entries.next();
                result.addAll(RevisionsLayout.readTouched(entry.key.get(), entry.value));
            }
        }
        return result;
    }

    /** The documents of the head and all that came and went since a revision. */
    Set<DocumentId> documentsSince(String workspace, long revision) {
        Set<DocumentId> ids = new TreeSet<>();
        forEachHead(workspace, (id, head) -> ids.add(id));
        touched(workspace, revision + 1, Long.MAX_VALUE).forEach(touched -> ids.add(touched.document()));
        return ids;
    }

    /**
     * What it takes to bring the documents of a workspace back to what they were in a revision: an edit for each
     * document that was touched since.
     */
    Map<DocumentId, Edit> editsBackTo(String workspace, long revision) {
        Map<DocumentId, Edit> edits = new TreeMap<>();
        for (Touched touched : touched(workspace, revision + 1, Long.MAX_VALUE)) {
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
    private static Optional<KeyValue<Bytes, byte[]>> last(
            ReadOnlyKeyValueStore<Bytes, byte[]> store, byte[] from, byte[] to) {
        try (KeyValueIterator<Bytes, byte[]> entries = store.reverseRange(Bytes.wrap(from), Bytes.wrap(to))) {
            return entries.hasNext() ? Optional.of(entries.next()) : Optional.empty();
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
