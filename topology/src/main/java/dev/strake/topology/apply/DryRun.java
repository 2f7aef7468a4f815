package dev.strake.topology.apply;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.render.DataSchemas;
import dev.strake.engine.render.Renderer;
import dev.strake.engine.render.Tracer;
import dev.strake.engine.secret.Redaction;
import dev.strake.engine.workspace.Edit;
import dev.strake.engine.workspace.Plan;
import dev.strake.engine.workspace.Preview;
import dev.strake.engine.workspace.Preview.Base;
import dev.strake.engine.workspace.Update;
import dev.strake.engine.workspace.Workspace;
import dev.strake.serdes.change.Change;
import dev.strake.serdes.change.ChangeEnvelope;
import dev.strake.serdes.change.ChangeReader;
import dev.strake.serdes.change.Payload;
import dev.strake.serdes.change.RejectedChangeException;
import dev.strake.serdes.change.Unsealing;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.secret.InstalledKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Previews a change outside the stream: returns the outcome of a dry run in the stream, and in addition the values that
 * would differ. It works in the calling thread and leaves the other threads to the stream. Thread-safe.
 */
public final class DryRun {

    /** The size limit of all listed differences, measured as JSON. */
    static final long MOST_BYTES = 4 << 20;

    /** The heap holds a byte of the body four times: as received, as text, in its tree, and as JSON. */
    private static final int HEAP_OF_BYTE = 4;

    /** A map of one entry with a unique key: half of this is for the key, the other half for the value. */
    private static final int HEAP_OF_NODE = 90;

    /** The shortest notation of a key or value, as in a list of digits. */
    private static final int BYTES_OF_NODE = 2;

    private final Intake intake;
    private final InstalledKeys keys;
    private final Renderer renderer;
    private final Secrets secrets;
    private final ChangeReader reader;

    /**
     * @param intake which changes are accepted
     * @param rendering the rules of the stream
     * @param secrets how the stream handles secrets; a dry run may contain clear text even if the stream rejects it
     */
    public DryRun(Intake intake, RenderRules rendering, Secrets secrets) {
        this.intake = intake;
        this.secrets = secrets;
        this.keys = secrets.keys();
        this.renderer = new Renderer(rendering.holdDocuments(), rendering.limits(), new DataSchemas());
        this.reader = new ChangeReader(intake.limits(), new Unsealing(secrets.keys(), false));
    }

    /** Returns how many bytes of heap a change takes at most, for a body of the given length. */
    public long heap(long bytes) {
        return HEAP_OF_BYTE * bytes
                + HEAP_OF_NODE * Math.min(intake.limits().change().nodes(), bytes / BYTES_OF_NODE);
    }

    /**
     * The result of a dry run.
     *
     * @param outcome with the status {@code planned}
     * @param preview empty if the change would make no revision
     */
    public record Result(Outcome outcome, Optional<Preview> preview) {}

    /**
     * Returns the head with the documents of an earlier revision, as after a rollback.
     *
     * @param edits the edits that restore those documents
     * @throws RejectedChangeException if the rollback exceeds the effort limit of a change
     */
    public Base backTo(String workspace, Base base, Map<DocumentId, Edit> edits) throws RejectedChangeException {
        Plan plan = Plan.restore(base.head().graph(), edits);
        Renderer formed = renderer.with(secrets.form(workspace));
        Update update = ChangePlan.update(plan, base.head(), base.contents(), formed, Tracer.NONE);
        return new Base(update.next(), Preview.contentsAfter(base.head(), base.contents(), update), base.held());
    }

    /**
     * Repeats a change to trace why documents were rendered.
     *
     * @param base the revision before the change, with records in their present form, as {@link #backTo} returns it
     * @param edits the edits of the change
     * @param tracer receives the reasons
     * @return the head after the change
     * @throws RejectedChangeException if the change exceeds the effort limit
     */
    public Workspace again(String workspace, Base base, Map<DocumentId, Edit> edits, Tracer tracer)
            throws RejectedChangeException {
        Plan plan = Plan.repeat(base.head().graph(), edits);
        Renderer formed = renderer.with(secrets.form(workspace));
        return ChangePlan.update(plan, base.head(), base.contents(), formed, tracer)
                .next();
    }

    /**
     * Previews a change.
     *
     * @param asked the change; it must not be a change of tags, which edits no document
     * @param base the state to which the change is applied
     * @param past the revisions for rollbacks
     * @param redaction how secrets are shown
     * @param now the current time, in milliseconds
     */
    public Result of(
            ChangeEnvelope asked, byte[] body, Base base, ChangePlan.Past past, Redaction redaction, long now) {
        Workspace head = base.head();
        ChangeEnvelope envelope = asked.with(asked.terms().asDryRun(), asked.note());
        OutcomeBuilder unread = new OutcomeBuilder(envelope, head, now);
        List<Problem> warnings = new ArrayList<>();
        try {
            ChangePlan.checkExpected(envelope, head);
            Change change = reader.read(envelope, List.of(Payload.of(body)), warnings::add);
            OutcomeBuilder answer = unread.warning(warnings);
            Plan plan = ChangePlan.accepted(
                    change, head, past, intake, keys.current().areThere());
            Renderer formed = renderer.with(secrets.form(envelope.workspace()));
            if (plan.edits().isEmpty() && !head.isDue(formed)) {
                return new Result(answer.unchanged(plan.warnings()), Optional.empty());
            }
            Update update = ChangePlan.update(plan, head, base.contents(), formed, Tracer.NONE);
            Preview preview = Preview.of(base, update, redaction, MOST_BYTES);
            return new Result(answer.of(update, answer.revision(change, update), preview), Optional.of(preview));
        } catch (RejectedChangeException e) {
            return new Result(unread.warning(warnings).rejected(e.problems()), Optional.empty());
        }
    }
}
