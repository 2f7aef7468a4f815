package dev.strake.topology;

import dev.strake.engine.document.Document;
import dev.strake.engine.document.DocumentId;
import dev.strake.engine.render.Contents;
import dev.strake.engine.tree.Value;
import dev.strake.engine.workspace.Workspace;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * The documents of the stores, with those that were used last kept parsed. Entries are kept under the revision that
 * wrote them and never change, so nothing ever has to be thrown out because it is stale.
 */
final class StoredContents {

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

    StoredContents(StateReader stores, CacheBudget budget) {
        this.stores = stores;
        this.budget = budget;
    }

    /** The contents of one head. */
    Contents of(String workspace, Workspace head) {
        return new Contents() {
            @Override
            public Document document(DocumentId id) {
                long since = head.graph().facts(id).since();
                return cached(
                        new Key(workspace, id, since, false),
                        () -> stores.document(workspace, id, since).document(),
                        document -> document.tree().weight());
            }

            @Override
            public Value data(DocumentId id) {
                long changedAt = head.evaluation(id).changedAt();
                return cached(
                        new Key(workspace, id, changedAt, true),
                        () -> stores.renderedData(workspace, id, changedAt),
                        Value::weight);
            }
        };
    }

    private <T> T cached(Key key, Supplier<T> load, ToLongFunction<T> weight) {
        Kept found = kept.get(key);
        if (found != null) {
            @SuppressWarnings("unchecked") // the last component of the key says which of the two kinds it is
            T content = (T) found.content();
            return content;
        }
        T content = load.get();
        long bytes = weight.applyAsLong(content) + ENTRY_BYTES;
        kept.put(key, new Kept(content, bytes));
        size += bytes;
        budget.use(bytes);
        var oldest = kept.values().iterator();
        while (budget.isExceeded(size) && oldest.hasNext()) {
            drop(oldest);
        }
        return content;
    }

    /** Gives back what another task may need more. */
    void tidy() {
        long enough = budget.afterPause(size);
        var oldest = kept.values().iterator();
        while (size > enough && oldest.hasNext()) {
            drop(oldest);
        }
    }

    /** Gives everything back: the task ends. */
    void close() {
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
