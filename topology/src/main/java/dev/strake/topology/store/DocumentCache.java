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

    /** How many times the bytes of its JSON a tree takes. One that takes more, as a list of digits, counts as more JSON. */
    private static final int TREE_OF_JSON = 5;

    /** As trees, this is up to a third of the heap, and leaves room for all else. */
    private static final int PART_OF_HEAP = 16;

    /** Rough size of an entry beside its tree, whatever the size of the tree. */
    private static final int ENTRY_BYTES = 256;

    private final BoundedCache<Key, Object> entries;

    /**
     * The key of a document, or of its rendered data, as one revision wrote it; that never changes.
     *
     * @param stores of the task; another one may read another state
     * @param keys with which it was read: what is locked without a key may be open with it, and the other way round
     */
    private record Key(
            StateReader stores, SecretKeys keys, String workspace, DocumentId id, long writtenAt, boolean rendered) {

        // Used for every document of a change. The methods that the compiler generates are several times slower.
        // Many workspaces have documents of the same names, written at the same revisions.
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
     * @param bytes of JSON; never more than a sixteenth of the heap
     */
    public DocumentCache(long bytes) {
        entries = new BoundedCache<>(Math.min(bytes, Runtime.getRuntime().maxMemory() / PART_OF_HEAP));
    }

    /**
     * The documents and rendered data of one head, from the cache or else from the stores.
     *
     * @param stores of the task that asks
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
                    if (found.missingKey().isEmpty()) { // the key may come back
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

    /** Drops everything of a task, because it ends. */
    public void close(StateReader stores) {
        entries.removeIf(key -> key.stores() == stores);
    }
}
