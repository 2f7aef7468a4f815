package dev.strake.chaos;

import dev.strake.engine.document.Document;
import dev.strake.engine.document.RenderLimits;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.oracle.NaiveRenderer;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.render.DataSchemas;
import dev.strake.engine.render.Renderer;
import dev.strake.engine.tree.MapValue;
import dev.strake.service.offline.OfflineRendering;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a set of documents renders to from nothing, and what is wrong with it: what the topics have to hold at a revision
 * with these documents.
 *
 * <p>Documents and the codes of problems come from the oracle. The rest of a problem comes from the engine, which gets
 * the documents as the first change of a new workspace: so what a problem says may not depend on what came before.
 *
 * @param rendered the rendered set, without documents in trouble
 * @param inTrouble keys under which something should be rendered, but is in trouble
 * @param codes of the documents in trouble, as the oracle finds them
 * @param lacksPolicy whether there are documents, but no layering policy
 * @param problems of all documents in trouble; that of the workspace as a whole has the key null
 */
record FullRendering(
        Map<DocumentKey, MapValue> rendered,
        Set<DocumentKey> inTrouble,
        Map<DocumentId, ProblemCode> codes,
        boolean lacksPolicy,
        Map<DocumentId, Problem> problems) {

    /** Renders with the limits of the contract; compiled schemas are kept in the renderer. */
    static FullRendering of(List<Document> documents, Renderer renderer) {
        NaiveRenderer oracle = new NaiveRenderer(documents, renderer.limits());
        Map<DocumentId, Problem> problems = new HashMap<>();
        if (!oracle.troubles().isEmpty() || oracle.lacksPolicy()) { // mostly nothing is wrong
            OfflineRendering.of(documents, renderer)
                    .problems()
                    .forEach(problem -> problems.put(problem.document(), problem));
        }
        return new FullRendering(
                oracle.rendered(), oracle.troubledKeys(), oracle.troubles(), oracle.lacksPolicy(), problems);
    }

    /** A renderer with the limits of the contract. */
    static Renderer renderer() {
        return new Renderer(true, RenderLimits.DEFAULT, new DataSchemas());
    }

    boolean isFine() {
        return codes.isEmpty() && !lacksPolicy;
    }
}
