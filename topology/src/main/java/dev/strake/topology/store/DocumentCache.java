package dev.strake.topology.store;

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
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A cache of recently used documents and rendered data, as trees on the heap. The key of an entry contains the revision
 * that wrote it, so an entry never becomes stale.
 */
public final class DocumentCache {

    /** Rough size of an entry beside its tree, whatever the size of the tree. */
    private static final int ENTRY_BYTES = 256;

    private final StateReader stores;
    private final CacheBudget budget;
    private final Map<Key, Entry> entries = new LinkedHashMap<>(256, 0.75f, true);
    private long size;
    private SecretKeys keys;

    /** The key of a document, or of its rendered data, as one revision wrote it; that never changes. */
    private record Key(String workspace, DocumentId id, long writtenAt, boolean rendered) {

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
                    && id.equals(key.id)
                    && workspace.equals(key.workspace);
        }
    }

    private record Entry(Object tree, long bytes) {}

    public DocumentCache(StateReader stores, CacheBudget budget) {
        this.stores = stores;
        this.budget = budget;
    }

    /** The documents and rendered data of one head, from the cache or else from the stores. */
    public Contents of(String workspace, Workspace head) {
        if (stores.keys() != keys) { // what is locked now may have been open, and the other way round
            close();
            keys = stores.keys();
        }
        return new DerivedContents(head.graph(), new DerivedContents.Stored() {
            @Override
            public Document document(DocumentId id) {
                long since = head.graph().facts(id).since();
                Key key = new Key(workspace, id, since, false);
                Document found = (Document) find(key);
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
                return (Value) find(rendered(id));
            }

            @Override
            public void keep(DocumentId id, Value data) {
                put(rendered(id), data, data, 0);
            }

            private Key rendered(DocumentId id) {
                return new Key(workspace, id, head.evaluation(id).changedAt(), true);
            }
        });
    }

    private Object find(Key key) {
        Entry found = entries.get(key);
        return found == null ? null : found.tree();
    }

    private void put(Key key, Object cached, Value tree, long beside) {
        long bytes = beside + Math.max(tree.weight(), HeapSize.of(tree) / CacheBudget.TREE_OF_JSON) + ENTRY_BYTES;
        Entry before = entries.put(key, new Entry(cached, bytes));
        long more = bytes - (before == null ? 0 : before.bytes());
        size += more;
        budget.use(more);
        var oldest = entries.values().iterator();
        while (budget.isExceeded(size) && oldest.hasNext()) {
            drop(oldest);
        }
    }

    /** Drops documents that take more than this task's share, if the budget is scarce. Called in pauses. */
    public void tidy() {
        long enough = budget.afterPause(size);
        var oldest = entries.values().iterator();
        while (size > enough && oldest.hasNext()) {
            drop(oldest);
        }
    }

    /** Drops everything, because the task ends. */
    public void close() {
        budget.use(-size);
        size = 0;
        entries.clear();
    }

    private void drop(Iterator<Entry> oldest) {
        long bytes = oldest.next().bytes();
        oldest.remove();
        size -= bytes;
        budget.use(-bytes);
    }
}
