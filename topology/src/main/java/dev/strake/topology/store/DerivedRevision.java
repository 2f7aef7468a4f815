package dev.strake.topology.store;

import dev.strake.engine.cache.BoundedCache;
import dev.strake.engine.document.Document;
import dev.strake.engine.graph.Graph;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.render.Contents;
import dev.strake.engine.render.DerivedContents;
import dev.strake.engine.render.DerivedContents.LockedException;
import dev.strake.engine.render.DerivedDocuments;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.topology.layout.DocumentsLayout;
import dev.strake.topology.layout.RenderedLayout.Rendering;
import java.util.Map;

/**
 * The rendered documents of a stored revision, for any number of readers. The readers share the graph, and a bounded
 * cache of the documents that others are derived from. Documents evicted from the cache are read again.
 */
public final class DerivedRevision implements Contents {

    /** Measured as JSON; trees on the heap take four to five times as much. */
    private static final long MOST_CACHED = 2 << 20;

    /** Rough size of an entry without its trees. */
    private static final int ENTRY_BYTES = 512;

    private final Graph graph;
    private final StateReader state;
    private final String workspace;
    private final long number;
    private final Contents contents;
    private final BoundedCache<DocumentId, Entry> cached = new BoundedCache<>(MOST_CACHED);

    /** A document with its rendering; data is null until it is known. */
    private record Entry(Document document, Rendering rendering, Value data) {

        long bytes() {
            return ENTRY_BYTES
                    + document.tree().weight()
                    + document.originBytes()
                    + (data == null || data == document.data() ? 0 : data.weight());
        }
    }

    /** Creates a view of the documents of a graph, as a revision stores them. */
    public DerivedRevision(Graph graph, StateReader state, String workspace, long number) {
        this.graph = graph;
        this.state = state;
        this.workspace = workspace;
        this.number = number;
        this.contents = new DerivedContents(graph, new Cached());
    }

    /** The layer graph of the revision. */
    public Graph graph() {
        return graph;
    }

    @Override
    public synchronized Document document(DocumentId id) {
        return entry(id).document();
    }

    @Override
    public synchronized Value data(DocumentId id) {
        return contents.data(id);
    }

    /**
     * Returns the rendered data of a document that was read with its rendering, or a placeholder if a key is missing.
     *
     * @throws DerivedContents.UnderivableException if the data can no longer be derived from the stored documents
     * @throws RevisionGoneException if the revision was pruned meanwhile, and the data depends on removed entries
     */
    public Value data(StoredRevision.Rendered read) {
        try {
            return unlocked(read);
        } catch (LockedException e) {
            return e.placeholder();
        }
    }

    /**
     * As {@link #data(StoredRevision.Rendered)}, without placeholders.
     *
     * @throws LockedException if a key is missing
     */
    public Value unlocked(StoredRevision.Rendered read) {
        Document document = read.document().document();
        return graph.rendersAsPublished(read.id()) && document.missingKey().isEmpty()
                ? document.data()
                : derived(read.id(), new Entry(document, read.rendering(), null));
    }

    /**
     * The derived documents of a revision, read in sequence. All documents of an owner are derived together.
     * Consecutive reads of the same owner use the last result.
     */
    public final class FromOwners {

        private DocumentId owner;
        private Map<DocumentKey, MapValue> made = Map.of();
        private LockedException missing;

        /**
         * Returns a derived document, with a placeholder for its data if a key is missing.
         *
         * @throws DerivedContents.UnderivableException if it can no longer be derived from the stored documents
         */
        public MapValue get(StoredRevision.ReadDerived read) {
            try {
                return unlocked(read);
            } catch (LockedException e) {
                return locked(read.key(), e.placeholder());
            }
        }

        /**
         * As {@link #get}, without placeholders.
         *
         * @throws LockedException if a key is missing
         */
        public MapValue unlocked(StoredRevision.ReadDerived read) {
            DocumentId wanted = read.record().owner();
            if (!wanted.equals(owner)) {
                made = Map.of();
                missing = null;
                try {
                    made = derivedFrom(wanted);
                } catch (LockedException e) {
                    missing = e;
                }
                owner = wanted;
            }
            if (missing != null) {
                throw missing;
            }
            return made.get(read.key());
        }

        private MapValue locked(DocumentKey key, Text placeholder) {
            MapValue metadata = MapValue.builder()
                    .put("schema", new Text("metadata/Document/v1"))
                    .put("name", new Text(key.name()))
                    .put("storagePolicy", new Text("encrypted"))
                    .put("layeringDefinition", MapValue.of("layer", new Text(owner.layer())))
                    .build();
            return MapValue.builder()
                    .put("schema", new Text(key.schema()))
                    .put("metadata", metadata)
                    .put("data", placeholder)
                    .build();
        }
    }

    /**
     * Returns the documents derived from an owner, which must have derived some in this revision.
     *
     * @throws DerivedContents.UnderivableException if they can no longer be derived from the stored documents
     */
    public Map<DocumentKey, MapValue> derivedFrom(DocumentId owner) {
        return DerivedDocuments.of(graph, this, owner, new ChangeEffort(Long.MAX_VALUE))
                .documents();
    }

    /* Uses what the caller has read already. A document from which no other is derived does not stay in the cache. */
    private synchronized Value derived(DocumentId id, Entry read) {
        if (cached.get(id) == null) {
            put(id, read);
        }
        Value data = contents.data(id);
        if (!graph.isReferredTo(id)) {
            cached.remove(id);
        }
        return data;
    }

    private Entry entry(DocumentId id) {
        Entry found = cached.get(id);
        if (found != null) {
            return found;
        }
        DocumentsLayout.Entry document = state.documentAsOf(workspace, id, number);
        Rendering rendering = state.renderingAsOf(workspace, id, number);
        if (!state.history().isWhole(workspace, number)) {
            throw new RevisionGoneException(number);
        }
        if (document.isRemoved()) {
            throw new IllegalStateException("revision " + number + " lacks " + id + ", which it had when it was made");
        }
        return put(id, new Entry(document.document(), rendering, null));
    }

    private Entry put(DocumentId id, Entry entry) {
        cached.put(id, entry, entry.bytes());
        return entry;
    }

    /** Only called from within {@link #data}, one thread at a time. */
    private final class Cached implements DerivedContents.Stored {

        @Override
        public Document document(DocumentId id) {
            return entry(id).document();
        }

        @Override
        public Fingerprint hash(DocumentId id) {
            return entry(id).rendering().data();
        }

        @Override
        public Value data(DocumentId id) {
            return entry(id).data();
        }

        @Override
        public void keep(DocumentId id, Value data) {
            Entry entry = entry(id);
            put(id, new Entry(entry.document(), entry.rendering(), data));
        }
    }
}
