package dev.strake.server.state;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.secret.Redaction;
import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.outcome.DifferencesJson;
import dev.strake.server.http.RefusedException;
import dev.strake.server.http.Response;
import dev.strake.topology.query.Differences;
import dev.strake.topology.query.Differences.Difference;
import dev.strake.topology.query.WorkspaceQueries;
import dev.strake.topology.store.DerivedRevision;
import java.util.Locale;
import java.util.Optional;

/**
 * Compares two revisions by path. Reads only documents that differ. A value that is secret in either revision is
 * redacted in both, because it may have been the same before it became secret.
 */
final class RevisionDiff {

    /** The maximum number of documents to compare. */
    private static final int MOST_COMPARED = 200_000;

    /** The maximum size of the changed values in a response. */
    private static final long MOST_BYTES = 4 << 20;

    private RevisionDiff() {}

    /** Compares two revisions. Lists the documents that differ, and on request how they differ. */
    static Response answer(Question question) {
        ListRequest wanted = ListRequest.of(question.request());
        boolean changes = question.request().isTrue("changes", false);
        WorkspaceQueries state = question.state();
        String workspace = question.workspace();
        long first = Question.find(state, workspace, question.request().path("from"));
        long second = Question.find(state, workspace, question.request().path("to"));
        int[] compared = new int[1];
        try (OpenRevision before = OpenRevision.of(question, state, first);
                OpenRevision after = OpenRevision.of(question, state, second)) {
            Differences differences = state.diff(workspace, first, second, wanted::isNamed, () -> {
                if (++compared[0] > MOST_COMPARED) {
                    throw tooFarApart();
                }
            });
            DifferencesJson json = new DifferencesJson(question.shown().redaction(), changes ? MOST_BYTES : -1);
            writeDocuments(json, differences, before, after);
            writeRendered(json, differences, before, after);
            MapValue answer = json.in(StateJson.ofTwo(workspace, first, second));
            return Question.whole(question.shown()
                    .telling((changes ? answer : answer.without("complete")).updatedWith(question.origin())));
        }
    }

    private static RefusedException tooFarApart() {
        return new RefusedException(
                422,
                "TooFarApart",
                "More than %,d documents were touched between the two revisions. ".formatted(MOST_COMPARED)
                        + "Compare revisions that are closer, or read both and compare them yourself.");
    }

    private static void writeDocuments(
            DifferencesJson json, Differences differences, OpenRevision before, OpenRevision after) {
        differences.documents().forEach((id, difference) -> {
            if (json.isFull()) {
                json.document(id, text(difference));
            } else {
                MapValue old = published(before, id);
                MapValue young = published(after, id);
                Redaction shown = redaction(before);
                json.document(id, shown.published(old), shown.published(young));
            }
        });
    }

    private static void writeRendered(
            DifferencesJson json, Differences differences, OpenRevision before, OpenRevision after) {
        differences.rendered().forEach((key, difference) -> {
            Problem problem = differences.problems().get(key);
            if (problem != null) {
                json.unrendered(key, text(difference), problem);
            } else if (json.isFull()) {
                json.rendered(key, text(difference));
            } else {
                MapValue old = difference == Difference.CREATED ? null : rendered(before, key);
                MapValue young = difference == Difference.DELETED ? null : rendered(after, key);
                Redaction shown = redaction(before);
                json.rendered(key, shown.rendered(old), shown.rendered(young));
            }
        });
    }

    private static Redaction redaction(OpenRevision revision) {
        return revision.question().shown().redaction();
    }

    /* Null if the document does not exist. */
    private static MapValue published(OpenRevision revision, DocumentId id) {
        return revision.state()
                .document(revision.question().workspace(), id, revision.number())
                .orElse(null);
    }

    private static MapValue rendered(OpenRevision revision, DocumentKey key) {
        DerivedRevision derived = revision.derived();
        Optional<DocumentId> owner = revision.owner(key);
        if (owner.isPresent()) {
            return derived.derivedFrom(owner.get()).get(key);
        }
        DocumentId id = derived.graph().meant(key);
        return derived.document(id).rendered(derived.data(id));
    }

    private static String text(Difference difference) {
        return difference.name().toLowerCase(Locale.ROOT);
    }
}
