package dev.strake.topology.store;

import dev.strake.engine.document.Document;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.render.Contents;
import dev.strake.engine.render.DerivedContents;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.Value;
import dev.strake.engine.workspace.Workspace;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The documents of the stores and what they rendered to, with those that were used last kept ready. They are kept under
 * the revision that made them what they are, so nothing ever has to be thrown out because it is stale.
 */
public final class StoredContents {

    /** Rough heap of an entry beside its content, and of the object headers of its tree for each byte of JSON. */
    private static final int ENTRY_BYTES = 256;

    private final StateReader stores;
    private final CacheBudget budget;
    private final Map<Key, Kept> kept = new LinkedHashMap<>(256, 0.75f, true);
    private long size;

    /** What is kept under it never changes. */
    private record Key(String workspace, DocumentId id, long writtenAt, boolean rendered) {

        // Looked up for every document of a change: what the compiler makes of a record is several times slower.
        @Override
        public int hashCode() {
            return 31 * (31 * id.hashCode() + Long.hashCode(writtenAt)) + (rendered ? 1 : 0);
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

    private record Kept(Object content, long bytes) {}

    public StoredContents(StateReader stores, CacheBudget budget) {
        this.stores = stores;
        this.budget = budget;
    }

    /** The contents of one head. */
    public Contents of(String workspace, Workspace head) {
        return new DerivedContents(head.graph(), new DerivedContents.Stored() {
            @Override
            public Document document(DocumentId id) {
                long since = head.graph().facts(id).since();
                Key key = new Key(workspace, id, since, false);
                Document found = (Document) find(key);
                if (found == null) {
                    found = stores.document(workspace, id, since).document();
                    put(key, found, found.tree().weight());
                }
                return found;
            }

            @Override
            public Fingerprint hash(DocumentId id) {
                return head.evaluation(id).data();
            }

            @Override
            public Value data(DocumentId id) {
                Key key = rendered(id);
                Value found = (Value) find(key);
                if (found == null) {
                    found = stores.rendering(workspace, id, key.writtenAt()).data(document(id));
                    if (found != null) {
                        put(key, found, found.weight());
                    }
                }
                return found;
            }

            @Override
            public void keep(DocumentId id, Value data) {
                put(rendered(id), data, data.weight());
            }

            private Key rendered(DocumentId id) {
                return new Key(workspace, id, head.evaluation(id).changedAt(), true);
            }
        });
    }

    private Object find(Key key) {
        Kept found = kept.get(key);
        return found == null ? null : found.content();
    }

    private void put(Key key, Object content, long weight) {
        long bytes = weight + ENTRY_BYTES;
        kept.put(key, new Kept(content, bytes));
        size += bytes;
        budget.use(bytes);
        var oldest = kept.values().iterator();
        while (budget.isExceeded(size) && oldest.hasNext()) {
            drop(oldest);
        }
    }

    /** Gives back what another task may need more. */
    public void tidy() {
        long enough = budget.afterPause(size);
        var oldest = kept.values().iterator();
        while (size > enough && oldest.hasNext()) {
            drop(oldest);
        }
    }

    /** Gives everything back: the task ends. */
    public void close() {
        budget.use(-size);
        size = 0;
        kept.clear();
    }

    private void drop(Iterator<Kept> oldest) {
        long bytes = oldest.next().bytes();
        oldest.remove();
        size -= bytes;
        budget.use(-bytes);
    }
}
