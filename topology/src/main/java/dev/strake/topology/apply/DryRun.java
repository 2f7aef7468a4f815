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
 * Says what a change would do, beside the stream: the outcome that a dry run in the stream would have, and in addition the
 * values of the places that would differ. It works in the calling thread, so that the stream has the others. For
 * use by several threads.
 */
public final class DryRun {

    /** Changed places that are listed, measured as JSON. */
    static final long MOST_BYTES = 4 << 20;

    /** A byte of the text is held as it came, as text, in its tree, and as JSON on its way to the answer. */
    private static final int HEAP_OF_BYTE = 4;

    /** A map of one entry with a key that no other map has: half of this for its key, the other for its value. */
    private static final int HEAP_OF_NODE = 90;

    /** The shortest way to write a key or value, as in a list of digits. */
    private static final int BYTES_OF_NODE = 2;

    private final Intake intake;
    private final InstalledKeys keys;
    private final Renderer renderer;
    private final Secrets secrets;
    private final ChangeReader reader;

    /**
     * @param intake which changes are accepted
     * @param rendering as in the stream
     * @param secrets what becomes of secrets in the stream. A change that is only tried may bring them in clear text all the same
     */
    public DryRun(Intake intake, RenderRules rendering, Secrets secrets) {
        this.intake = intake;
        this.secrets = secrets;
        this.keys = secrets.keys();
        this.renderer = new Renderer(rendering.holdDocuments(), rendering.limits(), new DataSchemas());
        this.reader = new ChangeReader(intake.limits(), new Unsealing(secrets.keys(), false));
    }

    /** What a change with a body of this many bytes takes at worst, in bytes of heap. */
    public long heap(long bytes) {
        return HEAP_OF_BYTE * bytes
                + HEAP_OF_NODE * Math.min(intake.limits().change().nodes(), bytes / BYTES_OF_NODE);
    }

    /**
     * What a change would do.
     *
     * @param outcome of status {@code planned}
     * @param preview empty if the change would make no revision
     */
    public record Result(Outcome outcome, Optional<Preview> preview) {}

    /**
     * The head with the documents of an earlier revision in place of its own, as after a rollback.
     *
     * @param edits that lead back to them
     * @throws RejectedChangeException if it takes more work than a change may take
     */
    public Base backTo(String workspace, Base base, Map<DocumentId, Edit> edits) throws RejectedChangeException {
        Plan plan = Plan.restore(base.head().graph(), edits);
        Renderer formed = renderer.with(secrets.form(workspace));
        Update update = ChangePlan.update(plan, base.head(), base.contents(), formed, Tracer.NONE);
        return new Base(update.next(), Preview.contentsAfter(base.head(), base.contents(), update), base.held());
    }

    /**
     * Makes a change once more, to hear why it rendered what it rendered.
     *
     * @param base the revision before, with records in their present form, as {@link #backTo} makes it
     * @param edits the change
     * @param tracer hears the reasons
     * @return the head that the change led to
     * @throws RejectedChangeException if it takes more work than a change may take
     */
    public Workspace again(String workspace, Base base, Map<DocumentId, Edit> edits, Tracer tracer)
            throws RejectedChangeException {
        Plan plan = Plan.repeat(base.head().graph(), edits);
        Renderer formed = renderer.with(secrets.form(workspace));
        return ChangePlan.update(plan, base.head(), base.contents(), formed, tracer)
                .next();
    }

    /**
     * Tries a change.
     *
     * @param asked the change; a tag would change no document, and is no change that can be tried here
     * @param base what to try it on
     * @param past the revisions to roll back to
     * @param redaction how secrets are shown
     * @param now the time, in milliseconds
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
