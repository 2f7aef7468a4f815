package dev.strake.topology.query;

import dev.strake.engine.document.Document;
import dev.strake.engine.document.Kind;
import dev.strake.engine.graph.Facts;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.render.DerivedContents;
import dev.strake.engine.render.Output;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.workspace.Workspace;
import dev.strake.serdes.store.DocumentsLayout;
import dev.strake.serdes.store.LayerGraphLayout;
import dev.strake.serdes.store.RenderedLayout.Rendering;
import dev.strake.topology.store.NumberedRevision;
import dev.strake.topology.store.RevisionReader;
import dev.strake.topology.store.StateReader;
import dev.strake.topology.store.StoredRevision;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * Answers questions about the head or any earlier revision of a workspace, from the stores of the local tasks. Queries
 * may run while the stream runs. They can be ahead of what consumers see by one commit.
 */
public final class WorkspaceQueries {

    private final StateReader state;
    private final RevisionReader history;

    /** A document of a revision. */
    public record PublishedDocument(DocumentId id, String bucket, MapValue tree) {}

    /** How something differs between two revisions. */
    public enum Difference {
        CREATED,
        MODIFIED,
        DELETED
    }

    /** What differs between two revisions: documents as published, and rendered ones. */
    public record Differences(
            SortedMap<DocumentId, Difference> documents, SortedMap<DocumentKey, Difference> rendered) {

        public boolean isEmpty() {
            return documents.isEmpty() && rendered.isEmpty();
        }
    }

    /**
     * Queries over the stores of a topology.
     *
     * @param stores returns the store with a given name, over all local tasks
     */
    public WorkspaceQueries(Function<String, ReadOnlyKeyValueStore<Bytes, byte[]>> stores) {
        this.state = new StateReader(stores);
        this.history = state.history();
    }

    /** The number of the head revision; 0 for a workspace that does not exist. */
    public long head(String workspace) {
        return history.lastRevision(workspace);
    }

    /**
     * Whether a workspace has a revision. Every workspace has revision 0, which is empty. If a revision is pruned while
     * a query reads it, documents may be missing from the answer. So an answer holds only if the revision still exists
     * afterwards.
     */
    public boolean has(String workspace, long revision) {
        return revision == 0 || history.revision(workspace, revision) != null;
    }

    /** Why a workspace does not have a revision: it never existed, or it was pruned. Names the kept revisions then. */
    public Problem missing(String workspace, long revision) {
        return history.missing(workspace, revision);
    }

    /** All revisions that are kept, the oldest first. */
    public List<NumberedRevision> revisions(String workspace) {
        List<NumberedRevision> result = new ArrayList<>();
        history.revisions(workspace).forEach((number, revision) -> result.add(new NumberedRevision(number, revision)));
        return result;
    }

    /** The documents of a revision as published, in order of identity. */
    public List<PublishedDocument> documents(String workspace, long revision) {
        List<PublishedDocument> result = new ArrayList<>();
        for (DocumentId id : state.documentsSince(workspace, revision)) {
            DocumentsLayout.Entry entry = state.documentAsOf(workspace, id, revision);
            if (!entry.isRemoved()) {
                result.add(new PublishedDocument(
                        id, entry.bucket(), entry.document().tree()));
            }
        }
        return result;
    }

    /** How many documents each bucket of a revision holds. */
    public SortedMap<String, Integer> buckets(String workspace, long revision) {
        SortedMap<String, Integer> result = new TreeMap<>();
        documents(workspace, revision).forEach(document -> result.merge(document.bucket(), 1, Integer::sum));
        return result;
    }

    /** The layer graph of a revision: the parent, substitution sources, parentSelector and target of each document. */
    public SortedMap<DocumentId, LayerGraphLayout.Edges> graph(String workspace, long revision) {
        SortedMap<DocumentId, LayerGraphLayout.Edges> result = new TreeMap<>();
        for (DocumentId id : state.documentsSince(workspace, revision)) {
            LayerGraphLayout.Edges edges = state.edgesAsOf(workspace, id, revision);
            if (!edges.removed()) {
                result.put(id, edges);
            }
        }
        return result;
    }

    /**
     * The rendered documents of a revision, in order of schema and name; documents in trouble are left out.
     *
     * @throws DerivedContents.UnderivableException if they cannot be derived from the stored documents any more
     */
    public List<MapValue> rendered(String workspace, long revision) {
        StoredRevision whole = new StoredRevision(state, workspace, revision);
        return has(workspace, revision) ? whole.rendered() : List.of(); // pruned just now: see has
    }

    /** The problems of a revision: first that of the workspace as a whole, then those of documents by identity. */
    public List<Problem> problems(String workspace, long revision) {
        List<Problem> result = new ArrayList<>();
        boolean hasDocuments = false;
        boolean hasPolicy = false;
        for (DocumentId id : state.documentsSince(workspace, revision)) {
            Rendering rendering = state.renderingAsOf(workspace, id, revision);
            hasDocuments |= !rendering.removed();
            hasPolicy |= !rendering.removed() && Kind.isPolicy(id.schema());
            if (rendering.problem() != null) {
                result.add(rendering.problem());
            }
        }
        Problem whole = Workspace.wholeProblem(hasDocuments, hasPolicy);
        if (whole != null) {
            result.add(0, whole);
        }
        return result;
    }

    /** The differences between two revisions. Looks only at documents that were touched in between. */
    public Differences diff(String workspace, long from, long to) {
        SortedMap<DocumentId, Difference> documents = new TreeMap<>();
        SortedMap<DocumentKey, Difference> rendered = new TreeMap<>();
        Set<DocumentId> touched = state.documentsBetween(workspace, Math.min(from, to), Math.max(from, to));
        Map<DocumentKey, Fingerprint> before = new TreeMap<>();
        Map<DocumentKey, Fingerprint> after = new TreeMap<>();
        for (DocumentId id : touched) {
            difference(published(workspace, id, from), published(workspace, id, to))
                    .ifPresent(difference -> documents.put(id, difference));
            record(workspace, id, from).ifPresent(record -> before.put(id.key(), record));
            record(workspace, id, to).ifPresent(record -> after.put(id.key(), record));
        }
        // By key, not by document: a document that moved to another layer is still the same rendered document.
        TreeSet<DocumentKey> keys = new TreeSet<>(before.keySet());
        keys.addAll(after.keySet());
        for (DocumentKey key : keys) {
            difference(before.get(key), after.get(key)).ifPresent(difference -> rendered.put(key, difference));
        }
        return new Differences(documents, rendered);
    }

    private static Optional<Difference> difference(Object before, Object after) {
        if (Objects.equals(before, after)) {
            return Optional.empty();
        }
        return Optional.of(
                before == null ? Difference.CREATED : after == null ? Difference.DELETED : Difference.MODIFIED);
    }

    private MapValue published(String workspace, DocumentId id, long revision) {
        DocumentsLayout.Entry entry = state.documentAsOf(workspace, id, revision);
        return entry.isRemoved() ? null : entry.document().tree();
    }

    /* The hash of the document's record in the revision; empty if the document has none. */
    private Optional<Fingerprint> record(String workspace, DocumentId id, long revision) {
        Rendering rendering = state.renderingAsOf(workspace, id, revision);
        if (!rendering.isInOrder() || rendering.record() != null) {
            return Optional.ofNullable(rendering.record());
        }
        DocumentsLayout.Entry entry = state.documentAsOf(workspace, id, revision);
        if (entry.isRemoved()) { // pruned just now: see has
            return Optional.empty();
        }
        Document document = entry.document();
        return Optional.of(Output.recordOf(Facts.of(document, entry.bucket()), rendering.data(document)));
    }
}
