package dev.strake.engine.render;

import dev.strake.engine.derivation.Read;
import dev.strake.engine.graph.Graph;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.tree.MapValue;
import java.util.Map;
import java.util.Set;

/**
 * Derived documents of a revision, computed on demand: like other renderings they are not stored.
 *
 * @param documents the documents by their keys
 * @param reads the reads that they were derived from
 */
public record DerivedDocuments(Map<DocumentKey, MapValue> documents, Set<Read> reads) {

    /**
     * Derives the documents of an owner.
     *
     * @param contents the contents of the revision
     * @param owner an owner that derived documents when the revision was made
     * @param effort counts the work
     * @throws DerivedContents.UnderivableException if none can be derived now
     */
    public static DerivedDocuments of(Graph graph, Contents contents, DocumentId owner, ChangeEffort effort) {
        OwnerReads.Snapshot snapshot =
                new OwnerReads.Snapshot(graph, contents, null, effort, new ReadCache(0), new ReadLimit(Long.MAX_VALUE));
        OwnerEvaluation evaluation = new OwnerEvaluation(owner, snapshot, RenderLimits.NONE, null);
        evaluation.carryOut();
        effort.spend(evaluation.effort());
        if (!evaluation.isMade()) {
            throw new DerivedContents.UnderivableException(owner, "no documents can be derived from it now");
        }
        return new DerivedDocuments(evaluation.documents(), evaluation.reads().keySet());
    }
}
