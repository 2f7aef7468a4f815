package dev.strake.engine.workspace;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.render.Evaluation;
import java.util.ArrayList;
import java.util.List;
import org.organicdesign.fp.collections.PersistentTreeSet;

/**
 * The documents of a head that have a problem, in order. Immutable. Every outcome lists the first of these documents.
 * They are found without a scan of the others, because there may be a hundred thousand.
 *
 * @param own documents with a problem of their own
 * @param blocked documents with a problem because another document has one
 */
record Troubled(PersistentTreeSet<DocumentId> own, PersistentTreeSet<DocumentId> blocked) {

    static final Troubled NONE = new Troubled(PersistentTreeSet.empty(), PersistentTreeSet.empty());

    boolean isEmpty() {
        return own.size() == 0 && blocked.size() == 0;
    }

    boolean contains(DocumentId id) {
        return own.contains(id) || blocked.contains(id);
    }

    /**
     * These documents after one was evaluated.
     *
     * @param now the new evaluation; null if the document was removed
     */
    Troubled with(DocumentId id, Evaluation now) {
        boolean isOwn = now != null && now.isInTrouble() && now.cause() == null;
        boolean isBlocked = now != null && now.isInTrouble() && !isOwn;
        if (own.contains(id) == isOwn && blocked.contains(id) == isBlocked) {
            return this;
        }
        return new Troubled(isOwn ? own.put(id) : own.without(id), isBlocked ? blocked.put(id) : blocked.without(id));
    }

    /** The first documents: those with a problem of their own, then blocked ones; each group in order of identity. */
    List<DocumentId> first(int most) {
        List<DocumentId> result = new ArrayList<>();
        for (PersistentTreeSet<DocumentId> some : List.of(own, blocked)) {
            for (DocumentId id : some) {
                if (result.size() >= most) {
                    return result;
                }
                result.add(id);
            }
        }
        return result;
    }
}
