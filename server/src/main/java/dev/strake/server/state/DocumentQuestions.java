package dev.strake.server.state;

import dev.strake.engine.explain.Dependents;
import dev.strake.engine.explain.Explainer;
import dev.strake.engine.graph.Graph;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.tree.Place;
import dev.strake.serdes.change.RejectedChangeException;
import dev.strake.serdes.outcome.ExplanationJson;
import dev.strake.serdes.outcome.ExplanationJson.Whereabouts;
import dev.strake.server.state.Answer.Refused;
import dev.strake.server.state.Answer.Whole;
import dev.strake.topology.store.DerivedRevision;
import java.util.Optional;

/** Answers what one document of a revision is made of, what it reaches, and why it was rendered again. */
final class DocumentQuestions {

    /** Values of a document that one answer explains. */
    private static final int MOST_EXPLAINED = 500;

    /** Documents that one answer lists as dependents. */
    private static final int MOST_DEPENDENTS = 20_000;

    /** Of the values that an explanation has in memory. */
    private static final long MOST_EXPLAINED_BYTES = 32 << 20;

    private final Plans plans;

    DocumentQuestions(Plans plans) {
        this.plans = plans;
    }

    /** What is known of the documents of a revision: where each of them begins, if its author said so. */
    private record InStores(Reading reading, DerivedRevision revision) implements Whereabouts {

        @Override
        public Optional<String> place(DocumentId document, String path) {
            return revision.document(document).origin();
        }

        @Override
        public Optional<Long> revision(DocumentId document) {
            return reading.state().documentSince(reading.question().workspace(), document, reading.number());
        }
    }

    Answer explain(Reading reading, DerivedRevision revision, DocumentKey key, Place place) {
        String workspace = reading.question().workspace();
        Optional<DocumentId> owner = reading.state().owner(workspace, key, reading.number());
        DocumentId id = owner.isPresent() ? owner.get() : find(revision.graph(), key);
        Optional<Problem> problem = reading.state().problem(workspace, id, reading.number());
        if (problem.isPresent() && owner.isEmpty()) {
            return new Whole(reading.what().with("problem", reading.withOrigin(problem.get())));
        }
        long[] taken = new long[1];
        try {
            Explainer explainer = new Explainer(revision.graph(), revision, effort(), bytes -> {
                taken[0] += bytes;
                if (taken[0] > MOST_EXPLAINED_BYTES) {
                    throw new TooMuchException();
                }
            });
            return new Whole(QuestionJson.explanations(
                    reading.what(),
                    owner.isPresent()
                            ? explainer.derivedLeaves(id, key, place, MOST_EXPLAINED + 1)
                            : explainer.leaves(id, place, MOST_EXPLAINED + 1),
                    MOST_EXPLAINED,
                    new ExplanationJson(
                            new InStores(reading, revision), reading.question().redaction())));
        } catch (TooMuchException | ChangeEffort.ExceededException e) {
            return Refused.tooLarge();
        }
    }

    Answer why(Reading reading, DocumentKey key) {
        String workspace = reading.question().workspace();
        long earlier = reading.state().revisionBelow(workspace, reading.number());
        if (earlier == 0 && reading.number() > 1) {
            throw new NamedRevision.UnknownException(
                    "The revision before %d was pruned, so nothing tells what %d changed. Ask about a later one."
                            .formatted(reading.number(), reading.number()));
        }
        try {
            Plans.Again again = plans.again(reading.state(), workspace, earlier, reading.number());
            Optional<DocumentId> owner = reading.state().owner(workspace, key, reading.number());
            return new Whole(
                    owner.isPresent()
                            ? QuestionJson.reasonsOfDerived(
                                    reading.what(), earlier, key.in(owner.get().layer()), owner.get(), again.reasons())
                            : QuestionJson.reasons(reading.what(), earlier, find(again.graph(), key), again.reasons()));
        } catch (RejectedChangeException e) {
            return Refused.tooLarge();
        }
    }

    /** @param layer which of several documents with the key; the one that the key means if empty */
    Answer affected(Reading reading, DerivedRevision revision, DocumentKey key, Optional<String> layer, Place place) {
        Graph graph = revision.graph();
        DocumentId id = layer.map(key::in)
                .filter(asked -> graph.facts(asked) != null)
                .or(() -> reading.state()
                        .owner(reading.question().workspace(), key, reading.number())
                        .map(owner -> key.in(owner.layer())))
                .orElseGet(() -> find(graph, key));
        if (!id.layer().equals(layer.orElse(id.layer()))) {
            throw new NoSuchDocumentException(key.in(layer.get()));
        }
        try {
            return new Whole(QuestionJson.dependents(
                    reading.what(), id, new Dependents(graph, revision, id, place, MOST_DEPENDENTS, effort())));
        } catch (ChangeEffort.ExceededException e) {
            return Refused.tooLarge();
        }
    }

    /* As much work as a change may be. */
    private static ChangeEffort effort() {
        return new ChangeEffort(RenderLimits.DEFAULT.changeEffort());
    }

    private static DocumentId find(Graph graph, DocumentKey key) {
        DocumentId found = graph.meant(key);
        if (found == null) {
            throw new NoSuchDocumentException(key);
        }
        return found;
    }

    private static final class TooMuchException extends RuntimeException {

        private static final long serialVersionUID = 1L;
    }

    static final class NoSuchDocumentException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private NoSuchDocumentException(DocumentKey key) {
            super("The revision has no document %s/%s.".formatted(key.schema(), key.name()));
        }

        private NoSuchDocumentException(DocumentId id) {
            super("The revision has no document %s/%s in a layer %s.".formatted(id.schema(), id.name(), id.layer()));
        }
    }
}
