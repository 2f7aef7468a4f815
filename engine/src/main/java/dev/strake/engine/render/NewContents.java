package dev.strake.engine.render;

import dev.strake.engine.document.Document;
import dev.strake.engine.graph.Graph;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.operations.OperationsDocument;
import dev.strake.engine.tree.Value;
import java.util.HashMap;
import java.util.Map;

/**
 * The contents of the new revision while it is rendered: edited documents and new results, and the contents of the
 * revision before for everything else.
 *
 * <p>Several threads inspect documents concurrently. One thread enters the results, and only while no inspection runs.
 * So results are read without a lock. The contents of the revision before have caches, so access to them is locked.
 */
final class NewContents implements Contents, Inputs {

    private final Graph graph;
    private final Map<DocumentId, Document> edited;
    private final Contents before;
    private final ChangeEffort effort;
    private final Map<DocumentId, Value> results = new HashMap<>();
    private final Map<DocumentId, OperationsDocument> operations = new HashMap<>();

    /**
     * @param before the contents of all other documents
     * @param effort counts the searches for operations on dependencies
     */
    NewContents(Graph graph, Map<DocumentId, Document> edited, Contents before, ChangeEffort effort) {
        this.graph = graph;
        this.edited = edited;
        this.before = before;
        this.effort = effort;
    }

    @Override
    public Document document(DocumentId id) {
        Document document = edited.get(id);
        return document == null ? documentBefore(id) : document;
    }

    Graph graph() {
        return graph;
    }

    /** Whether the change edits the document. The order of its keys may differ even if its hash is the same. */
    boolean isEdited(DocumentId id) {
        return edited.containsKey(id);
    }

    @Override
    public Value data(DocumentId id) {
        Value value = results.get(id);
        if (value != null) {
            return value;
        }
        long search = graph.stepsToOperations(id);
        if (search > 0) {
            effort.spend(2 * search); // two searches: here, and where the data is read
        }
        return graph.rendersAsPublished(id) ? unlocked(document(id)).data() : dataBefore(id);
    }

    private static Document unlocked(Document document) {
        if (document.missingKey().isPresent()) {
            throw new IllegalStateException(document.id() + " has no problem, but the key "
                    + document.missingKey().get().id() + " is missing");
        }
        return document;
    }

    private synchronized Document documentBefore(DocumentId id) {
        return before.document(id);
    }

    synchronized Value dataBefore(DocumentId id) {
        return before.data(id);
    }

    /* Parsed once for all targets. */
    @Override
    public synchronized OperationsDocument operations(DocumentId id) {
        return operations.computeIfAbsent(id, Inputs.super::operations);
    }

    void put(DocumentId id, Value result) {
        results.put(id, result);
    }

    Map<DocumentId, Value> results() {
        return results;
    }
}
