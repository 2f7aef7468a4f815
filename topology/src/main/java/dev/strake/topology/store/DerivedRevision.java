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
 * What the documents of a stored revision render to, for any number of readers. They share the graph, and the documents
 * that others are derived from as far as those fit into a bounded cache; the rest is read again.
 */
public final class DerivedRevision implements Contents {

    /** Measured as JSON; as trees they take four to five times as much. */
    private static final long MOST_CACHED = 2 << 20;

    /** Rough size of an entry beside its trees. */
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

    /** The documents that a graph is of, as they are stored in a revision. */
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
     * The rendered data of a document that was read together with its rendering; a placeholder where a key is missing.
     *
     * @throws DerivedContents.UnderivableException if it cannot be derived from the stored documents any more
     * @throws RevisionGoneException if the revision was pruned meanwhile, and the data depends on what is gone
     */
    public Value data(StoredRevision.Rendered read) {
        try {
            return unlocked(read);
        } catch (LockedException e) {
            return e.placeholder();
        }
    }

    /**
     * The same without placeholders.
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
     * The derived documents of a revision, one after the other. Those of one owner are made together, so they come from the last
     * ones that were made if they follow on each other.
     */
    public final class FromOwners {

        private DocumentId owner;
        private Map<DocumentKey, MapValue> made = Map.of();
        private LockedException missing;

        /**
         * A derived document; where a key is missing, one with a placeholder in the place of its data.
         *
         * @throws DerivedContents.UnderivableException if it cannot be derived from the stored documents any more
         */
        public MapValue get(StoredRevision.ReadDerived read) {
            try {
                return unlocked(read);
            } catch (LockedException e) {
                return locked(read.key(), e.placeholder());
            }
        }

        /**
         * The same without placeholders.
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
     * The documents that come from an owner, which derived some in this revision.
     *
     * @throws DerivedContents.UnderivableException if they cannot be derived from the stored documents any more
     */
    public Map<DocumentKey, MapValue> derivedFrom(DocumentId owner) {
        return DerivedDocuments.of(graph, this, owner, new ChangeEffort(Long.MAX_VALUE))
                .documents();
    }

    /* What was read already is not read again. It makes no room for itself if no other document is derived from it. */
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
            throw new IllegalStateException("revision " + number + " lacks " + id + ", which it was built with");
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
