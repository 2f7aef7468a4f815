package dev.strake.engine.render;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;

/**
 * The hashes of derived documents whose data somebody else remembers: the same object again, so that its JSON need not be
 * made again to find out that nothing changed. It holds no data itself, and forgets a document when its data is forgotten.
 * It saves work and changes no result. Several threads may use it.
 */
public final class MadeRecords {

    private final Map<Data, Made> made = new HashMap<>();
    private final ReferenceQueue<Value> forgotten = new ReferenceQueue<>();

    private record Made(DocumentKey key, Value metadata, Output output) {}

    /** Data of a document: the object, whatever is in it. */
    private static final class Data extends WeakReference<Value> {

        private final int hash;

        Data(Value data, ReferenceQueue<Value> forgotten) {
            super(data, forgotten);
            hash = System.identityHashCode(data);
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        public boolean equals(Object other) {
            return this == other || (other instanceof Data data && get() != null && refersTo(data.get()));
        }
    }

    /** The hashes of a document; null if they have to be worked out. */
    synchronized Output get(DocumentKey key, MapValue document) {
        Made known = made.get(new Data(document.get("data"), null));
        return known != null && known.key.equals(key) && known.metadata.equals(document.get("metadata"))
                ? known.output
                : null;
    }

    /** Remembers the hashes of a document for as long as its data is remembered elsewhere. */
    synchronized void put(DocumentKey key, MapValue document, Output output) {
        for (Reference<? extends Value> data = forgotten.poll(); data != null; data = forgotten.poll()) {
            made.remove(data);
        }
        made.put(new Data(document.get("data"), forgotten), new Made(key, document.get("metadata"), output));
    }
}
