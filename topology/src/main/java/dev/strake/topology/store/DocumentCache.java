package dev.strake.topology.store;

import dev.strake.engine.cache.BoundedCache;
import dev.strake.engine.document.Document;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.render.Contents;
import dev.strake.engine.render.DerivedContents;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.HeapSize;
import dev.strake.engine.tree.TextHash;
import dev.strake.engine.tree.Value;
import dev.strake.engine.workspace.Workspace;
import dev.strake.serdes.secret.SecretKeys;

/**
 * A cache of recently used documents and rendered data, as trees on the heap, for all tasks of an instance. The key of an
 * entry contains the revision that wrote it, so an entry never becomes stale.
 */
public final class DocumentCache {

    /** The heap of a tree relative to its JSON. A tree that takes more, as a list of digits, counts as more JSON. */
    private static final int TREE_OF_JSON = 5;

    /** As trees, this is up to a third of the heap, which leaves room for everything else. */
    private static final int PART_OF_HEAP = 16;

    /** Rough size of an entry without its tree. */
    private static final int ENTRY_BYTES = 256;

    private final BoundedCache<Key, Object> entries;

    /**
     * The key of a document, or of its rendered data, as one revision wrote it. That content never changes.
     *
     * @param stores the stores of the task; another task may read another state
     * @param keys the keys at the time of reading; with other keys, another set of documents is locked
     */
    private record Key(
            StateReader stores, SecretKeys keys, String workspace, DocumentId id, long writtenAt, boolean rendered) {

        // Computed for every document of a change. The methods that the compiler generates are several times
        // slower. Many workspaces have documents of the same names, written at the same revisions.
        @Override
        public int hashCode() {
            int document = TextHash.of(TextHash.of(workspace), id.hashCode());
            return TextHash.of(document, 2 * Long.hashCode(writtenAt) + (rendered ? 1 : 0));
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key key
                    && writtenAt == key.writtenAt
                    && rendered == key.rendered
                    && stores == key.stores
                    && keys == key.keys
                    && id.equals(key.id)
                    && workspace.equals(key.workspace);
        }
    }

    /**
     * @param bytes the size of the cache as JSON; never more than a sixteenth of the heap
     */
    public DocumentCache(long bytes) {
        entries = new BoundedCache<>(Math.min(bytes, Runtime.getRuntime().maxMemory() / PART_OF_HEAP));
    }

    /**
     * Returns the documents and rendered data of one head, from the cache or from the stores.
     *
     * @param stores the stores of the calling task
     */
    public Contents of(StateReader stores, String workspace, Workspace head) {
        SecretKeys keys = stores.keys();
        return new DerivedContents(head.graph(), new DerivedContents.Stored() {
            @Override
            public Document document(DocumentId id) {
                long since = head.graph().facts(id).since();
                Key key = new Key(stores, keys, workspace, id, since, false);
                Document found = (Document) entries.get(key);
                if (found == null) {
                    found = stores.document(workspace, id, since).document();
                    if (found.missingKey().isEmpty()) { // not cached if locked, as the key may come back
                        put(key, found, found.tree(), found.originBytes());
                    }
                }
                return found;
            }

            @Override
            public Fingerprint hash(DocumentId id) {
                return head.evaluation(id).data();
            }

            @Override
            public Value data(DocumentId id) {
                return (Value) entries.get(rendered(id));
            }

            @Override
            public void keep(DocumentId id, Value data) {
                put(rendered(id), data, data, 0);
            }

            private Key rendered(DocumentId id) {
                return new Key(stores, keys, workspace, id, head.evaluation(id).changedAt(), true);
            }
        });
    }

    private void put(Key key, Object cached, Value tree, long beside) {
        long bytes = beside + Math.max(tree.weight(), HeapSize.of(tree) / TREE_OF_JSON) + ENTRY_BYTES;
        entries.put(key, cached, bytes);
    }

    /** Evicts all entries of a task, because the task ends. */
    public void close(StateReader stores) {
        entries.removeIf(key -> key.stores() == stores);
    }
}
