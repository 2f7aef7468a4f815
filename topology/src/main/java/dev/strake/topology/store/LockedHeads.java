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
 * Adapts the heads of a workspace to missing keys while the workspace is opened.
 *
 * <p>Two keys may be missing. Without the key for its data, a document is locked: any published replacement counts as a
 * change. Without the key for hashes, its rendering is unknown: the document is in trouble, and the record that
 * consumers see is equal to no other. In both cases the next change inspects the document, and again once the key is
 * back.
 */
final class LockedHeads {

    private final StateReader state;
    private final String workspace;
    private final boolean areKeysMissing;
    private final Set<DocumentId> rekeyed = new HashSet<>();
    private final Set<DocumentId> lost = new HashSet<>();

    /**
     * @param areKeysMissing whether entries of this task may be encrypted with a missing key
     */
    LockedHeads(StateReader state, String workspace, boolean areKeysMissing) {
        this.state = state;
        this.workspace = workspace;
        this.areKeysMissing = areKeysMissing;
    }

    /**
     * Returns a head, adapted to the missing keys.
     *
     * @param missing the key without which the hashes of the head could not be read; null if they could
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

    /** Notes that consumers see unknown records. Records held back while the hashes were known are noted already. */
    void hold(Graph graph, Map<DocumentKey, Optional<Output>> held) {
        for (DocumentId id : lost) {
            if (graph.isRendered(graph.facts(id))) {
                held.putIfAbsent(id.key(), Optional.of(Output.LOST));
            }
        }
    }

    /** The documents that the next change has to inspect. */
    Set<DocumentId> rekeyed() {
        return rekeyed;
    }
}
