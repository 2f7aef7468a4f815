package dev.strake.engine.workspace;

import dev.strake.engine.graph.Facts;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.render.Contents;
import dev.strake.engine.render.DerivedDocuments;
import dev.strake.engine.render.Output;
import dev.strake.engine.tree.MapValue;
import java.util.List;
import java.util.Map;

/**
 * The records of a head by their keys: rendered documents and derived documents. Not thread-safe. The derived documents
 * of the last owner are cached.
 */
public final class Records {

    private final Workspace head;
    private final Contents contents;
    private DocumentId lastOwner;
    private Map<DocumentKey, MapValue> derived;

    /**
     * @param contents the contents of the head
     */
    public Records(Workspace head, Contents contents) {
        this.head = head;
        this.contents = contents;
    }

    /** The hashes of a record; null if there is none, or if it has a problem. */
    public Output output(DocumentKey key) {
        Facts document = head.graph().rendered(key);
        if (document != null) {
            return head.evaluation(document.id()).output();
        }
        DocumentId owner = owner(key);
        return owner == null ? null : head.derivations().of(owner).documents().get(key);
    }

    /** The record itself; null if there is none, or if it has a problem. */
    public MapValue record(DocumentKey key) {
        Facts document = head.graph().rendered(key);
        if (document != null) {
            DocumentId id = document.id();
            return head.evaluation(id).isInTrouble()
                    ? null
                    : contents.document(id).rendered(contents.data(id));
        }
        DocumentId owner = owner(key);
        if (owner == null) {
            return null;
        }
        if (!owner.equals(lastOwner)) {
            derived = DerivedDocuments.of(head.graph(), contents, owner, new ChangeEffort(Long.MAX_VALUE))
                    .documents();
            lastOwner = owner;
        }
        return derived.get(key);
    }

    /** Whether a record has secrets; false if there is none. */
    public boolean isSecret(DocumentKey key) {
        Output output = output(key);
        return output != null && output.secret();
    }

    /** Whether there is no record of a key because its document has a problem. */
    boolean isMissed(DocumentKey key) {
        return head.graph().rendered(key) != null && output(key) == null;
    }

    /** The document that a record is derived from; null if the record is not derived, or has a problem. */
    DocumentId owner(DocumentKey key) {
        List<DocumentId> owners = head.derivations().deriving(key);
        return owners.size() == 1 ? owners.get(0) : null;
    }
}
