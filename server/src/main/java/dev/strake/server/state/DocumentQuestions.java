package dev.strake.server.state;

import dev.strake.engine.explain.Dependents;
import dev.strake.engine.explain.Explainer;
import dev.strake.engine.explain.Explanation;
import dev.strake.engine.graph.Graph;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.path.Path;
import dev.strake.engine.path.PathSyntaxException;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Place;
import dev.strake.serdes.change.RejectedChangeException;
import dev.strake.serdes.outcome.DependentsJson;
import dev.strake.serdes.outcome.ExplanationJson;
import dev.strake.serdes.outcome.ExplanationJson.Whereabouts;
import dev.strake.serdes.outcome.RenderReasonsJson;
import dev.strake.server.http.RefusedException;
import dev.strake.server.http.Response;
import dev.strake.topology.store.DerivedRevision;
import java.util.List;
import java.util.Optional;

/**
 * Explains what a document of a revision is made of, what depends on it, and why it was rendered again:
 *
 * <pre>{@code
 * explain     {"workspace", "revision", "items": [explanation, ...], "complete"}
 *             {"workspace", "revision", "problem", "cause"?}                         of a document that does not render
 * why         {"workspace", "revision", "before", "document", "reasons"}, see RenderReasonsJson
 * affected    {"workspace", "revision", "document", "dependents", "edges", "complete"}
 * }</pre>
 */
final class DocumentQuestions {

    /** The maximum number of values to explain in a response. */
    private static final int MOST_EXPLAINED = 500;

    /** The maximum number of dependents in a response. */
    private static final int MOST_DEPENDENTS = 20_000;

    /** The maximum size of values in memory for an explanation. */
    private static final long MOST_EXPLAINED_BYTES = 32 << 20;

    private DocumentQuestions() {}

    /** The stored origins and revisions of documents. */
    private record InStores(OpenRevision open) implements Whereabouts {

        @Override
        public Optional<String> place(DocumentId document, String path) {
            return open.derived().document(document).origin();
        }

        @Override
        public Optional<Long> revision(DocumentId document) {
            return open.state().documentSince(open.question().workspace(), document, open.number());
        }
    }

    /** Explains the values of a rendered document, or returns its problem. */
    static Response explain(Question question) {
        DocumentKey key = document(question);
        Place place = place(question);
        return question.whole(open -> explain(open, key, place));
    }

    private static MapValue explain(OpenRevision open, DocumentKey key, Place place) {
        DerivedRevision revision = open.derived();
        Optional<DocumentId> owner = open.owner(key);
        DocumentId id = owner.isPresent() ? owner.get() : find(revision.graph(), key);
        Optional<Problem> problem = open.state().problem(open.question().workspace(), id, open.number());
        if (problem.isPresent() && owner.isEmpty()) {
            MapValue answer = open.what().with("problem", open.inList(problem.get()));
            return open.cause(problem.get())
                    .map(cause -> answer.with("cause", open.withOrigin(cause)))
                    .orElse(answer);
        }
        long[] taken = new long[1];
        try {
            Explainer explainer = new Explainer(revision.graph(), revision, effort(), bytes -> {
                taken[0] += bytes;
                if (taken[0] > MOST_EXPLAINED_BYTES) {
                    throw Refused.tooLarge();
                }
            });
            List<Explanation> all = owner.isPresent()
                    ? explainer.derivedLeaves(id, key, place, MOST_EXPLAINED + 1)
                    : explainer.leaves(id, place, MOST_EXPLAINED + 1);
            ExplanationJson json = new ExplanationJson(
                    new InStores(open), open.question().shown().redaction());
            return open.what()
                    .with(
                            "items",
                            ListValue.of(all.stream()
                                    .limit(MOST_EXPLAINED)
                                    .map(json::write)
                                    .toList()))
                    .with("complete", all.size() <= MOST_EXPLAINED);
        } catch (ChangeEffort.ExceededException e) {
            throw Refused.tooLarge();
        }
    }

    /** Explains why a revision rendered a document again: the chain from the document back to the original edit. */
    static Response why(Question question, Plans plans) {
        DocumentKey key = document(question);
        return question.whole(open -> why(open, key, plans));
    }

    private static MapValue why(OpenRevision open, DocumentKey key, Plans plans) {
        String workspace = open.question().workspace();
        if (open.number() == 0) {
            throw Refused.noRevision("No change made revision 0, the empty workspace. Choose a later one.");
        }
        long earlier = open.state().history().revisionBelow(workspace, open.number());
        if (earlier == 0 && open.number() > 1) {
            throw Refused.noRevision(
                    "The revision before %d was pruned, so the changes of %d are unknown. Choose a later one."
                            .formatted(open.number(), open.number()));
        }
        try {
            Plans.Again again = plans.again(open.state(), workspace, earlier, open.number());
            Optional<DocumentId> owner = open.owner(key);
            DocumentId id = owner.isPresent() ? key.in(owner.get().layer()) : find(again.graph(), key);
            return open.what()
                    .with("before", earlier)
                    .updatedWith(RenderReasonsJson.write(
                            id,
                            owner.isPresent()
                                    ? again.reasons().chainOfDerived(id, owner.get())
                                    : again.reasons().chain(id)));
        } catch (RejectedChangeException e) {
            throw Refused.tooLarge();
        }
    }

    /** Lists what depends on a document or a part of it. The parameter layer selects among documents with the key. */
    static Response affected(Question question) {
        DocumentKey key = document(question);
        Place place = place(question);
        Optional<String> layer = question.request().parameter("layer");
        return question.whole(open -> affected(open, key, layer, place));
    }

    private static MapValue affected(OpenRevision open, DocumentKey key, Optional<String> layer, Place place) {
        DerivedRevision revision = open.derived();
        Graph graph = revision.graph();
        DocumentId id = layer.map(key::in)
                .filter(asked -> graph.facts(asked) != null)
                .or(() -> open.owner(key).map(owner -> key.in(owner.layer())))
                .orElseGet(() -> find(graph, key));
        if (!id.layer().equals(layer.orElse(id.layer()))) {
            throw noDocument(key, " in a layer " + layer.get());
        }
        try {
            Dependents dependents = Dependents.of(graph, revision, id, place, MOST_DEPENDENTS, effort());
            return open.what().updatedWith(DependentsJson.write(id, dependents));
        } catch (ChangeEffort.ExceededException e) {
            throw Refused.tooLarge();
        }
    }

    private static DocumentKey document(Question question) {
        return new DocumentKey(required(question, "schema"), required(question, "name"));
    }

    private static String required(Question question, String name) {
        return question.request()
                .parameter(name)
                .orElseThrow(() -> new IllegalArgumentException("The parameter " + name + " is missing."));
    }

    private static Place place(Question question) {
        try {
            return Path.place(question.request().parameter("path").orElse("."));
        } catch (PathSyntaxException e) {
            throw new IllegalArgumentException("path: " + e.getMessage(), e);
        }
    }

    /* The same limit as for a change. */
    private static ChangeEffort effort() {
        return new ChangeEffort(RenderLimits.DEFAULT.changeEffort());
    }

    private static DocumentId find(Graph graph, DocumentKey key) {
        DocumentId found = graph.meant(key);
        if (found == null) {
            throw noDocument(key, "");
        }
        return found;
    }

    private static RefusedException noDocument(DocumentKey key, String where) {
        return new RefusedException(
                404,
                "DocumentNotFound",
                "The revision has no document %s/%s%s.".formatted(key.schema(), key.name(), where));
    }
}
