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
 * What a set of documents renders to from nothing, and what is wrong with it: what the topics have to hold at a revision
 * with these documents. All of it comes from the oracle.
 *
 * @param rendered the rendered set, without documents in trouble
 * @param inTrouble keys under which something should be rendered, but is in trouble
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
