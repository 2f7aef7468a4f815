package dev.strake.engine.render;

import dev.strake.engine.document.Document;
import dev.strake.engine.graph.Graph;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.Value;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * The contents of a completely rendered revision. New data of documents without dependents was not kept. This class
 * computes such data again on demand, and caches it as long as there is room.
 */
public final class LateContents implements Contents {

    /** The limit of the cache, in bytes of JSON. */
    private static final long MOST_KEPT = 8L << 20;

    private final Function<DocumentId, Document> documents;
    private final Contents derived;
    private final Map<DocumentId, Value> kept = new HashMap<>();
    private long room = MOST_KEPT;

    /**
     * @param documents the documents of the revision
     * @param dataBefore the rendered data of a document in the revision before
     * @param results the new data that was kept
     * @param before the evaluation of a document in the revision before; null if it was not in it
     * @param after the evaluation of a document in the revision
     */
    public LateContents(
            Graph graph,
            Function<DocumentId, Document> documents,
            Function<DocumentId, Value> dataBefore,
            Map<DocumentId, Value> results,
            Function<DocumentId, Evaluation> before,
            Function<DocumentId, Evaluation> after) {
        this.documents = documents;
        this.derived = new DerivedContents(graph, new DerivedContents.Stored() {
            @Override
            public Document document(DocumentId id) {
                return documents.apply(id);
            }

            @Override
            public Fingerprint hash(DocumentId id) {
                return after.apply(id).data();
            }

            @Override
            public Value data(DocumentId id) {
                Value known = results.get(id);
                known = known == null ? kept.get(id) : known;
                if (known != null) {
                    return known;
                }
                Evaluation old = before.apply(id);
                boolean isAsBefore =
                        old != null && old.data() != null && old.data().equals(hash(id));
                return isAsBefore ? dataBefore.apply(id) : null;
            }

            @Override
            public void keep(DocumentId id, Value value) {
                if (room >= value.weight()) {
                    room -= value.weight();
                    kept.put(id, value);
                }
            }
        });
    }

    @Override
    public Document document(DocumentId id) {
        return documents.apply(id);
    }

    @Override
    public synchronized Value data(DocumentId id) {
        return derived.data(id);
    }
}
