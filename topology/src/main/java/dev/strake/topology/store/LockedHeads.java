package dev.strake.topology.store;

import dev.strake.engine.document.Document;
import dev.strake.engine.document.MissingKey;
import dev.strake.engine.graph.Facts;
import dev.strake.engine.graph.Graph;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.render.Evaluation;
import dev.strake.engine.render.Output;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.workspace.Head;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What missing keys do to the heads of a workspace while it is opened.
 *
 * <p>Two keys may be missing. Without the one for its data, a document is locked: whatever an author publishes in its place is
 * news. Without the one for hashes, it is not known what a document rendered to: so it is in trouble, and consumers hold a record
 * that is equal to nothing. Either way the next change looks at the document, and again when the key is back.
 */
final class LockedHeads {

    private final StateReader state;
    private final String workspace;
    private final boolean areKeysMissing;
    private final Set<DocumentId> rekeyed = new HashSet<>();
    private final Set<DocumentId> lost = new HashSet<>();

    /**
     * @param areKeysMissing whether anything that this task stores may be encrypted with a missing key
     */
    LockedHeads(StateReader state, String workspace, boolean areKeysMissing) {
        this.state = state;
        this.workspace = workspace;
        this.areKeysMissing = areKeysMissing;
    }

    /**
     * A head as it is without keys that are missing.
     *
     * @param missing the key without which its hashes could not be read; null if they could
     */
    Head add(Head head, MissingKey missing) {
        Facts facts = head.facts();
        boolean wasLocked = isLocked(head.evaluation());
        if (missing != null) {
            lost.add(facts.id());
            rekeyed.add(facts.id());
        }
        if (!facts.isEncrypted()) {
            if (wasLocked) {
                rekeyed.add(facts.id());
            }
            return head;
        }
        boolean isUnknown = facts.content().equals(Fingerprint.LOST);
        if (!areKeysMissing && !wasLocked && !isUnknown) {
            return head;
        }
        Document document = state.document(workspace, facts.id(), facts.since()).document();
        boolean isLocked = document.missingKey().isPresent();
        if (isLocked != wasLocked) {
            rekeyed.add(facts.id());
        }
        Fingerprint content = isLocked
                ? Fingerprint.LOST
                : isUnknown ? Facts.of(document, facts.bucket()).content() : facts.content();
        return new Head(facts.withContent(content), head.evaluation());
    }

    private static boolean isLocked(Evaluation evaluation) {
        return evaluation.problem() != null
                && evaluation.cause() == null
                && evaluation.problem().code() == ProblemCode.SECRET_KEY_NOT_FOUND;
    }

    /** Notes what consumers hold. Where a problem held the record back while the hashes were known, that is noted already. */
    void hold(Graph graph, Map<DocumentKey, Optional<Output>> held) {
        for (DocumentId id : lost) {
            if (graph.isRendered(graph.facts(id))) {
                held.putIfAbsent(id.key(), Optional.of(Output.LOST));
            }
        }
    }

    /** The documents at which the next change has to look. */
    Set<DocumentId> rekeyed() {
        return rekeyed;
    }
}
