package dev.strake.topology.apply;

import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.render.Contents;
import dev.strake.engine.render.RecordForm;
import dev.strake.engine.render.Renderer;
import dev.strake.engine.secret.Redaction;
import dev.strake.engine.workspace.Plan;
import dev.strake.engine.workspace.Preview;
import dev.strake.engine.workspace.Update;
import dev.strake.engine.workspace.Workspace;
import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.RecordSize;
import dev.strake.serdes.change.Change;
import dev.strake.serdes.change.ChangeEnvelope;
import dev.strake.serdes.change.ChangeReader;
import dev.strake.serdes.change.Payload;
import dev.strake.serdes.change.PrincipalProof;
import dev.strake.serdes.change.RejectedChangeException;
import dev.strake.serdes.change.Unsealing;
import dev.strake.serdes.change.WorkspaceKey;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.topology.history.Retention;
import dev.strake.topology.layout.RevisionsLayout.Revision;
import dev.strake.topology.observe.ChangeObserver;
import dev.strake.topology.observe.ChangeWatch.Stage;
import dev.strake.topology.store.PastEdits;
import dev.strake.topology.store.PublishedRecords;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * The processor of a change, from its record to its outcome. It reads the change, plans it on the head of its
 * workspace, renders the affected documents, writes the stores, publishes, and finally answers.
 *
 * <p>Everything is computed before anything is written, and the new head replaces the old one last. So a change that
 * fails half-way leaves no effects. An exception is a fault in this program and fails the task.
 */
public final class ApplyChange implements Processor<String, byte[], byte[], byte[]> {

    /** The names of the sinks to which the processor forwards. */
    public static final String RENDERED_SINK = "rendered-sink";

    public static final String CLEARTEXT_SINK = "cleartext-sink";
    public static final String PROBLEMS_SINK = "problems-sink";
    public static final String OUTCOMES_SINK = "outcomes-sink";
    public static final String MISPLACED_SINK = "misplaced-sink";

    private final Settings settings;
    private final ChangeObserver observer;
    private final SharedMemory shared;
    private final KeysOfChange keys;
    private final ChangeReader reader;
    private Task task;

    /**
     * The settings of the processor.
     *
     * @param partitions the number of partitions of every topic
     * @param topicId the id of the topic of changes
     * @param secrets how to handle secrets, and the keys that verify principals
     */
    public record Settings(
            int partitions,
            String topicId,
            Intake intake,
            RenderRules rendering,
            Retention retention,
            Secrets secrets) {}

    /**
     * @param shared memory shared with the processors of all other tasks
     */
    public ApplyChange(Settings settings, ChangeObserver observer, SharedMemory shared) {
        this.settings = settings;
        this.observer = observer;
        this.shared = shared;
        this.keys = new KeysOfChange(settings.secrets().keys());
        this.reader = new ChangeReader(
                settings.intake().limits(),
                new Unsealing(keys, settings.secrets().requireSealed()));
    }

    /* Streams also calls this method to revive a task with restored stores, so it discards all state on the heap. */
    @Override
    public void init(ProcessorContext<byte[], byte[]> context) {
        if (task != null) {
            task.forgetHeap();
        }
        task = null;
        task = new Task(context, settings, keys, observer, shared, this::rejectLate);
    }

    @Override
    public void process(Record<String, byte[]> record) {
        RecordMetadata place = task.context.recordMetadata().orElseThrow();
        keys.next();
        if (WorkspaceKey.partition(record.key(), settings.partitions()) != place.partition()) {
            sendToItsPartition(record, place);
            return;
        }
        ChangeEnvelope.Reading reading = takeUp(record, place);
        ChangeEnvelope envelope = reading.envelope();
        long now = task.context.currentSystemTimeMs();
        Workspace head = task.heads.get(envelope.workspace());
        Optional<PrincipalProof> claim = PrincipalProof.in(record.headers());
        Payload payload = Payload.of(record.value(), reading.origins());
        boolean isWhole = envelope.part().of() == 1;
        OutcomeBuilder unproven = new OutcomeBuilder(envelope, head, now);
        OutcomeBuilder answer = isWhole ? proven(unproven, claim, place.topic(), List.of(payload)) : unproven;
        if (!reading.problems().isEmpty()) {
            answer(answer.rejected(reading.problems()));
        } else if (task.applied.wasApplied(envelope)) {
            answer(answer.duplicate());
        } else if (isWhole && !task.incomplete.has(envelope)) {
            apply(answer, List.of(payload));
        } else {
            takePart(answer, claim, place.topic(), payload);
        }
    }

    /* Adds the principal to the answer if the last record proves it for the whole change. */
    private OutcomeBuilder proven(
            OutcomeBuilder answer, Optional<PrincipalProof> claim, String topic, List<Payload> whole) {
        if (claim.isEmpty()) {
            return answer;
        }
        ChangeEnvelope envelope = answer.envelope();
        return claim.get()
                .verified(
                        keys.current(),
                        topic,
                        envelope,
                        whole,
                        answer.now(),
                        settings.intake().forgetChangesAfter())
                .map(principal -> new OutcomeBuilder(
                        envelope.with(envelope.terms(), envelope.note().by(principal)), answer.head(), answer.now()))
                .orElse(answer);
    }

    private ChangeEnvelope.Reading takeUp(Record<String, byte[]> record, RecordMetadata place) {
        task.watch.start(record.timestamp());
        ChangeEnvelope.Reading reading = ChangeEnvelope.read(
                record.key(),
                record.headers(),
                place.topic(),
                place.partition(),
                place.offset(),
                record.timestamp(),
                settings.intake().limits());
        task.watch.begun(reading.envelope());
        return reading;
    }

    /*
     * Producers other than Java's may partition differently. A record in the wrong partition is forwarded to the
     * partition of its workspace, in the same transaction. It is answered there, but keeps its id of this partition. A
     * record that is too large for a topic when uncompressed cannot be forwarded. It is rejected here, without the
     * state of the workspace.
     */
    private void sendToItsPartition(Record<String, byte[]> record, RecordMetadata place) {
        byte[] key = record.key().getBytes(StandardCharsets.UTF_8);
        Headers headers = new RecordHeaders(record.headers());
        if (headers.lastHeader(HeaderNames.CE_ID) == null) {
            String id = place.topic() + "-" + place.partition() + "-" + place.offset();
            HeaderNames.add(headers, HeaderNames.CE_ID, id);
            HeaderNames.add(headers, HeaderNames.ID_TOPIC, settings.topicId());
        }
        long bytes = RecordSize.of(key, record.value(), headers);
        if (bytes > RecordSize.MOST) {
            ChangeEnvelope envelope = takeUp(record, place).envelope();
            Problem problem = Problem.of(
                    ProblemCode.LIMIT_EXCEEDED,
                    "the record is in the wrong partition for its workspace, and too large to be forwarded: it has "
                            + bytes + " bytes uncompressed, but at most " + RecordSize.MOST + " can be sent",
                    "choose partitions as the Java producer does (murmur2 of the key), or split the change into parts");
            answer(OutcomeBuilder.rejectedUnseen(envelope, task.context.currentSystemTimeMs(), problem));
            return;
        }
        task.context.forward(new Record<>(key, record.value(), record.timestamp(), headers), MISPLACED_SINK);
    }

    private void takePart(OutcomeBuilder answer, Optional<PrincipalProof> claim, String topic, Payload payload) {
        IncompleteChanges.Part part = task.incomplete.take(answer.envelope(), payload, answer.now());
        if (part.isComplete()) {
            apply(proven(answer, claim, topic, part.whole()), part.whole());
        } else if (part.rejections().isEmpty()) {
            answer(answer.of(OutcomeStatus.PENDING, part.warnings()));
        } else {
            answer(answer.rejected(part.rejections()));
        }
    }

    private void apply(OutcomeBuilder unread, List<Payload> payloads) {
        List<Problem> warnings = new ArrayList<>();
        try {
            ChangePlan.checkExpected(unread.envelope(), unread.head());
            Change change = reader.read(unread.envelope(), payloads, warnings::add);
            apply(change, unread.warning(warnings));
        } catch (RejectedChangeException e) {
            answer(unread.warning(warnings).rejected(e.problems()));
        }
    }

    private void apply(Change change, OutcomeBuilder answer) throws RejectedChangeException {
        String workspace = answer.envelope().workspace();
        boolean dryRun = answer.envelope().terms().dryRun();
        task.watch.enter(Stage.COMMIT_REVISION);
        if (change instanceof Change.Tag tag) {
            task.tags.put(workspace, tag, dryRun);
            finish(answer, answer.of(OutcomeStatus.UNCHANGED, List.of()));
        } else if (change instanceof Change.Untag untag) {
            List<Problem> warnings = task.tags.remove(workspace, untag, dryRun);
            finish(answer, answer.of(OutcomeStatus.UNCHANGED, warnings));
            task.upkeep.stepSoon();
        } else if (change instanceof Change.ValidationPut put) {
            task.results.put(workspace, put, answer.now(), dryRun);
            finish(answer, answer.of(OutcomeStatus.UNCHANGED, List.of()));
        } else {
            revise(
                    answer,
                    change,
                    ChangePlan.accepted(
                            change,
                            answer.head(),
                            number -> new PastEdits(task.state, workspace).back(answer.head(), number),
                            settings.intake(),
                            keys.current().areThere()));
            if (change instanceof Change.WorkspaceDelete && !dryRun) {
                forgetHistory(workspace);
            }
        }
    }

    private void revise(OutcomeBuilder answer, Change change, Plan plan) throws RejectedChangeException {
        String workspace = answer.envelope().workspace();
        Renderer formed = task.renderer.with(settings.secrets().form(workspace));
        if (plan.edits().isEmpty() && !answer.head().isDue(formed)) {
            finish(answer, answer.unchanged(plan.warnings()));
            return;
        }
        boolean dryRun = answer.envelope().terms().dryRun();
        task.watch.enter(Stage.RENDER);
        Contents contents = shared.documents().of(task.state, workspace, answer.head());
        Update update = ChangePlan.update(plan, answer.head(), contents, formed, task.watch.tracer());
        Revision revision = answer.revision(change, update);
        if (dryRun) {
            // The outcome only says where documents differ. All secrets are masked alike, so they never differ,
            // and their keys stay hidden.
            Preview.Base base = new Preview.Base(
                    answer.head(), contents, new PublishedRecords(task.state, workspace, answer.head()));
            Preview preview = Preview.of(base, update, Redaction.PLACES, DryRun.MOST_BYTES);
            answer(answer.of(update, revision, preview));
        } else {
            commit(answer, update, revision, formed.form());
        }
    }

    private void commit(OutcomeBuilder answer, Update update, Revision revision, RecordForm form) {
        String workspace = answer.envelope().workspace();
        task.watch.enter(Stage.COMMIT_REVISION);
        task.writer.write(workspace, answer.head(), update, revision);
        task.pruning.made(workspace, update.next().revision());
        task.upkeep.stepSoon();
        task.applied.remember(
                answer.envelope(), revision.status(), update.next().revision(), answer.now());
        task.watch.revised(workspace, update, revision);
        task.watch.enter(Stage.RENDER);
        Contents stored = shared.documents().of(task.state, workspace, update.next());
        task.publisher.publish(answer.envelope(), answer.head(), update, stored, form);
        answer(answer.of(update, revision));
        task.heads.put(workspace, update.next());
    }

    private void answer(Outcome outcome) {
        task.publisher.answer(outcome);
        task.watch.done(outcome);
    }

    private void finish(OutcomeBuilder answer, Outcome outcome) {
        if (!answer.envelope().terms().dryRun()) {
            task.applied.remember(
                    answer.envelope(), outcome.status(), answer.head().revision(), answer.now());
        }
        answer(outcome);
    }

    /*
     * A deletion is an ordinary revision without documents, so that consumers get a tombstone for every record. All
     * revisions before it are pruned. The revision of the deletion itself stays: if the workspace is used again, its
     * revision numbers continue from there.
     */
    private void forgetHistory(String workspace) {
        long last = task.state.history().lastRevision(workspace);
        if (last > 0) {
            Revision revision = task.state.history().revision(workspace, last).orElseThrow();
            task.writer.writeTags(workspace, last, revision.withTags(new TreeMap<>()));
            task.results.remove(workspace, last);
            task.pruning.deleted(workspace, last);
            task.upkeep.stepSoon();
        }
    }

    private void rejectLate(ChangeEnvelope envelope, Workspace head, long now) {
        task.watch.start(0);
        answer(new OutcomeBuilder(envelope, head, now)
                .rejected(List.of(Problem.of(
                        ProblemCode.INVALID_CHANGE,
                        "parts of the change are missing after "
                                + settings.intake().incompleteAfter().toSeconds() + " seconds",
                        "publish all parts again, with a new ce_id"))));
    }

    @Override
    public void close() {
        if (task != null) { // null if init failed
            task.close();
        }
    }
}
