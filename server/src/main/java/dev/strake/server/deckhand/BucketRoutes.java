package dev.strake.server.deckhand;

import dev.strake.engine.document.Kind;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.change.Terms;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.server.deckhand.answers.DocumentView;
import dev.strake.server.deckhand.answers.Failures;
import dev.strake.server.deckhand.answers.YamlAnswers;
import dev.strake.server.http.Response;
import dev.strake.server.http.Route;
import dev.strake.server.writing.NewChanges;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * {@code PUT /buckets/{bucket}/documents}: the body has all documents of the bucket. A layering policy stays even if
 * the body omits it. The documents need not render.
 */
record BucketRoutes(Asking asking, Writing writing, Bodies bodies, NewChanges changes) {

    private static final int MOST_WARNINGS = 5;
    private static final Set<ProblemCode> WARNED_OF =
            EnumSet.of(ProblemCode.DUPLICATE_KEY, ProblemCode.LAYERING_POLICY_KEPT);

    List<Route> writes() {
        return List.of(asking.write("PUT", "/buckets/{bucket}/documents", this::put));
    }

    private Response put(Asked asked) {
        List<MapValue> documents = bodies.documents(asked.request());
        Outcome outcome = writing.write(
                asked.request(), changes.ofBucket(asked.request(), ChangeType.BUCKET_PUT), Terms.NONE.putAsDeckhand());
        boolean isKept = outcome.warnings().stream().anyMatch(each -> each.code() == ProblemCode.LAYERING_POLICY_KEPT);
        if (documents.isEmpty() && outcome.status() == OutcomeStatus.UNCHANGED && !isKept) {
            return YamlAnswers.of(200, List.of());
        }
        String bucket = asked.request().path("bucket");
        long revision = asked.afterWriting(outcome.revision()).shown(outcome.revision());
        List<MapValue> views = documents.stream()
                .filter(each -> !Kind.isValidationPolicy(each.text("schema")))
                .map(each -> DocumentView.of(shown(asked, each), bucket, revision))
                .toList();
        return warning(
                outcome,
                YamlAnswers.of(
                        200,
                        views.isEmpty()
                                ? List.of(MapValue.of("status", DocumentView.status(bucket, revision)))
                                : views));
    }

    /* Warns of what was not applied as written; the outcome has all warnings. */
    private static Response warning(Outcome outcome, Response answer) {
        String all = outcome.warnings().stream()
                .filter(each -> WARNED_OF.contains(each.code()))
                .limit(MOST_WARNINGS)
                .map(each -> "299 strake \"" + Failures.sentence(each).replaceAll("[^ -~]|[\"\\\\]", "?") + '"')
                .collect(Collectors.joining(", "));
        return all.isEmpty() ? answer : answer.with("Warning", all);
    }

    private static MapValue shown(Asked asked, MapValue document) {
        return DocumentView.isSecret(document)
                ? asked.question().shown().redaction().published(document)
                : document;
    }
}
