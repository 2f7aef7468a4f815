package dev.strake.server.state;

import static java.util.stream.Collectors.joining;

import dev.strake.engine.explain.RenderReasons;
import dev.strake.engine.graph.Graph;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.workspace.Preview;
import dev.strake.engine.workspace.Workspace;
import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.change.ChangeEnvelope;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.change.RejectedChangeException;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.outcome.PreviewJson;
import dev.strake.serdes.text.Limits;
import dev.strake.server.http.Request;
import dev.strake.topology.apply.DryRun;
import dev.strake.topology.query.WorkspaceQueries;
import dev.strake.topology.store.RevisionLeases.Lease;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * Computes what changes would do, on the heads in the pipeline's cache. Nothing is stored or published. Heads are
 * immutable, so the pipeline is not blocked. A plan is an outcome without {@code changeId}, {@code input} and
 * {@code time}, plus {@code {"head", "against"?, "cutOff", "differences", "appearing", "vanishing", "complete"}}, see
 * {@link PreviewJson}.
 */
record Plans(DryRun dryRun) {

    private static final long LARGEST_BODY = 8 << 20;

    /** The largest plan may take a quarter of the heap; the pipeline needs the rest. */
    private static final long SHARE_OF_HEAP = 4;

    /** Returns the maximum size of a change to plan here, in bytes. Larger changes need a dry run in the stream. */
    int mostBodyBytes() {
        long heap = Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP;
        return (int) Math.min(LARGEST_BODY, heap * 1024 / dryRun.heap(1024));
    }

    /**
     * Reads the envelope of a planned change from the parameters, as from the headers of a record.
     *
     * @throws IllegalArgumentException if the request is invalid
     */
    static ChangeEnvelope envelope(Request request, Limits limits) {
        Headers headers = new RecordHeaders();
        HeaderNames.add(headers, HeaderNames.CE_TYPE, request.parameter("type").orElse(null));
        HeaderNames.add(headers, HeaderNames.BUCKET, request.parameter("bucket").orElse(null));
        HeaderNames.add(
                headers,
                HeaderNames.EXPECTED_REVISION,
                request.parameter("expected-revision").orElse(null));
        HeaderNames.add(
                headers,
                HeaderNames.MAX_REMOVALS,
                request.parameter("max-removals").orElse(null));
        HeaderNames.add(
                headers,
                HeaderNames.AS_DECKHAND,
                request.parameter("as-deckhand").orElse(null));
        HeaderNames.add(headers, HeaderNames.CONTENT_TYPE, request.contentType().orElse(null));
        ChangeEnvelope.Reading read =
                ChangeEnvelope.read(request.workspace(), headers, "plan", 0, 0, System.currentTimeMillis(), limits);
        if (!read.problems().isEmpty()) {
            throw new IllegalArgumentException(read.problems().stream()
                    .map(problem -> problem.describe() + ".")
                    .collect(joining(" ")));
        }
        ChangeType type = read.envelope().type();
        if (type == ChangeType.TAG || type == ChangeType.UNTAG || type == ChangeType.VALIDATION_PUT) {
            throw new IllegalArgumentException(
                    "A tag or a validation changes no document, so there is nothing to plan.");
        }
        boolean isBound = type == ChangeType.ROLLBACK || read.envelope().terms().expectedRevision() != null;
        if (isBound && request.parameter("against").isPresent()) {
            throw new IllegalArgumentException(
                    "A rollback, or a change with an expected head, can be planned only against the head.");
        }
        return read.envelope();
    }

    /**
     * Computes the plan of a change.
     *
     * @param against the revision to apply the change to; the head if empty
     * @param shown how secrets are shown to the client
     * @throws RejectedChangeException if restoring that revision takes more work than a change may take
     */
    MapValue of(
            WorkspaceQueries state,
            ChangeEnvelope change,
            byte[] body,
            OptionalLong against,
            Disclosure.SecretsShown shown)
            throws RejectedChangeException {
        String workspace = change.workspace();
        Optional<Workspace> atHand = state.openWithoutReading(workspace);
        Workspace head = atHand.isPresent() && against.isEmpty() ? atHand.get() : state.open(workspace);
        Lease lease = state.read(workspace, head.revision(), against.orElse(0));
        try (lease) {
            Preview.Base base = state.base(workspace, head);
            if (against.isPresent()) {
                base = dryRun.backTo(workspace, base, state.editsBackTo(workspace, head, against.getAsLong()));
            }
            // Repeated plans could reveal a secret, by whether a pattern matches it or a value equals it.
            boolean hasSecrets =
                    head.graph().hasSecrets() || base.head().graph().hasSecrets();
            if (hasSecrets && !shown.mayTry()) {
                throw Refused.forbidden(
                        "The workspace has secrets, which plans could reveal. This needs publisher@%s or secrets-reader@%s."
                                .formatted(workspace, workspace));
            }
            DryRun.Result result = dryRun.of(
                    change,
                    body,
                    base,
                    number -> state.editsBackTo(workspace, head, number),
                    shown.redaction(),
                    System.currentTimeMillis());
            return json(head, against, result);
        }
    }

    /**
     * A revision that was computed again.
     *
     * @param graph of the revision
     */
    record Again(Graph graph, RenderReasons reasons) {}

    /**
     * Computes a revision again to find out why it rendered documents.
     *
     * @param earlier the previous revision; 0 if there is none
     * @throws RejectedChangeException if a revision was pruned, or if it takes more work than a change may take
     */
    Again again(WorkspaceQueries state, String workspace, long earlier, long revision) throws RejectedChangeException {
        Workspace head = state.open(workspace);
        Lease lease = state.read(workspace, head.revision(), earlier, revision);
        try (lease) {
            Preview.Base base = state.base(workspace, head);
            Preview.Base before = dryRun.backTo(workspace, base, state.editsBackTo(workspace, head, earlier));
            RenderReasons reasons = new RenderReasons();
            Workspace after =
                    dryRun.again(workspace, before, state.editsBetween(workspace, earlier, revision), reasons);
            return new Again(after.graph(), reasons);
        }
    }

    /* Returns the outcome with the details of the plan. */
    private static MapValue json(Workspace head, OptionalLong against, DryRun.Result result) {
        MapValue outcome = OutcomeJson.tree(result.outcome())
                .without("changeId")
                .without("input")
                .without("time")
                .with("head", head.revision());
        if (against.isPresent()) { // no change would produce that revision
            outcome = outcome.without("revision").without("renderedRevision").with("against", against.getAsLong());
        }
        return outcome.updatedWith(result.preview().map(PreviewJson::beside).orElse(PreviewJson.NOTHING));
    }
}
