package dev.strake.checks.chaos;

import dev.strake.engine.document.Document;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.oracle.Limits;
import dev.strake.engine.oracle.NaiveRenderer;
import dev.strake.engine.oracle.Trouble;
import dev.strake.engine.tree.MapValue;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A set of documents rendered from scratch, with its problems: what the topics have to contain at a revision with these
 * documents. Computed by the oracle.
 *
 * @param rendered the rendered set, without documents in trouble
 * @param inTrouble keys of documents that should be rendered, but are in trouble
 * @param troubles of all documents in trouble
 * @param lacksPolicy whether there are documents, but no layering policy
 */
record FullRendering(
        Map<DocumentKey, MapValue> rendered,
        Set<DocumentKey> inTrouble,
        Map<DocumentId, Trouble> troubles,
        boolean lacksPolicy) {

    /** Renders with the limits of the contract. */
    static FullRendering of(List<Document> documents) {
        NaiveRenderer oracle =
                new NaiveRenderer(documents.stream().map(Document::tree).toList(), Limits.DEFAULT);
        return new FullRendering(oracle.rendered(), oracle.troubledKeys(), oracle.troubles(), oracle.lacksPolicy());
    }

    boolean isFine() {
        return troubles.isEmpty() && !lacksPolicy;
    }
}
