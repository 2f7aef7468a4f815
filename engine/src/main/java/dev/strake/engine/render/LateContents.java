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
 * The contents of a revision when all of it is rendered. New data of documents without dependents was not kept. It is
 * worked out again when it is read, and kept as far as there is room.
 */
final class LateContents implements Contents {

    /** Measured as JSON. */
    private static final long MOST_KEPT = 8L << 20;

    private final NewContents contents;
    private final Contents derived;
    private final Map<DocumentId, Value> kept = new HashMap<>();
    private long room = MOST_KEPT;

    LateContents(
            Graph graph,
            NewContents contents,
            Function<DocumentId, Evaluation> before,
            Map<DocumentId, Evaluation> evaluations) {
        this.contents = contents;
        this.derived = new DerivedContents(graph, new DerivedContents.Stored() {
            @Override
            public Document document(DocumentId id) {
                return contents.document(id);
            }

            @Override
            public Fingerprint hash(DocumentId id) {
                return evaluations.get(id).data();
            }

            @Override
            public Value data(DocumentId id) {
                Value known = contents.results().get(id);
                known = known == null ? kept.get(id) : known;
                if (known != null) {
                    return known;
                }
                Evaluation old = before.apply(id);
                boolean isAsBefore = old != null && hash(id).equals(old.data());
                return isAsBefore ? contents.dataBefore(id) : null;
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
        return contents.document(id);
    }

    @Override
    public synchronized Value data(DocumentId id) {
        return derived.data(id);
    }
}
