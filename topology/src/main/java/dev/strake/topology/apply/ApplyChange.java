package dev.strake.topology.apply;

import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.render.Contents;
import dev.strake.engine.render.DataSchemas;
import dev.strake.engine.render.RecordForm;
import dev.strake.engine.render.Renderer;
import dev.strake.engine.render.Tracer;
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
import dev.strake.serdes.store.ChangesLayout;
import dev.strake.serdes.store.RevisionsLayout;
import dev.strake.serdes.store.RevisionsLayout.Revision;
import dev.strake.topology.history.Pruning;
import dev.strake.topology.history.Retention;
import dev.strake.topology.observe.ChangeObserver;
import dev.strake.topology.observe.ChangeWatch;
import dev.strake.topology.observe.ChangeWatch.Stage;
import dev.strake.topology.observe.WorkspaceStatuses;
import dev.strake.topology.store.Heads;
import dev.strake.topology.store.RevisionReader;
import dev.strake.topology.store.Rewrap;
import dev.strake.topology.store.StateReader;
import dev.strake.topology.store.StateWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The processor that takes one change from its record to its outcome. It reads the change, plans it on the head of its
 * workspace, renders the affected documents, writes the stores, publishes, and finally answers.
 *
 * <p>Everything is computed before anything is written, and the new head replaces the old one last. So a change that
 * fails half-way leaves nothing behind. An exception is a fault in this program and fails the task.
 */
public final class ApplyChange implements Processor<String, byte[], byte[], byte[]> {

    /** The names of the sinks that it forwards to. */
    public static final String RENDERED_SINK = "rendered-sink";

    public static final String CLEARTEXT_SINK = "cleartext-sink";
    public static final String PROBLEMS_SINK = "problems-sink";
    public static final String OUTCOMES_SINK = "outcomes-sink";
    public static final String MISPLACED_SINK = "misplaced-sink";

    private final int partitions;
    private final String topicId;
    private final Intake intake;
    private final RenderRules rendering;
    private final Retention retention;
    private final Secrets secrets;
    private final ChangeObserver observer;
    private final SharedMemory shared;
    private final KeysOfChange keys;
    private final ChangeReader reader;
    private ProcessorContext<byte[], byte[]> context;
    private Renderer renderer;
    private StateReader state;
    private RevisionReader history;
    private StateWriter writer;
    private ReceivedChanges received;
    private IncompleteChanges incomplete;
    private Heads heads;
    private Publisher publisher;
    private RevisionTags tags;
    private Pruning pruning;
    private Upkeep upkeep;
    private ChangeWatch watch;

    /**
     * @param partitions number of partitions of every topic
     * @param topicId id of the topic that changes are read from
     * @param secrets what becomes of secrets, and the keys by which it is known who published a change
     * @param shared with the processors of all other tasks
     */
    public ApplyChange(
            int partitions,
            String topicId,
            Intake intake,
            RenderRules rendering,
            Retention retention,
            Secrets secrets,
            ChangeObserver observer,
            SharedMemory shared) {
        this.partitions = partitions;
        this.topicId = topicId;
        this.intake = intake;
        this.rendering = rendering;
        this.retention = retention;
        this.secrets = secrets;
        this.keys = new KeysOfChange(secrets.keys());
        this.observer = observer;
        this.shared = shared;
        this.reader = new ChangeReader(intake.limits(), new Unsealing(this.keys, secrets.requireSealed()));
    }

    /* Streams also calls this when it revives a task with restored stores, so it discards all state on the heap. */
    @Override
    public void init(ProcessorContext<byte[], byte[]> newContext) {
        context = newContext;
        renderer = new Renderer(
                rendering.holdDocuments(), rendering.limits(), new DataSchemas(), AllProcessors.ON_DOCUMENTS);
        if (state != null) {
            forgetHeap();
        }
        state = new StateReader(context::getStateStore, keys);
        history = state.history();
        writer = new StateWriter(context::getStateStore, keys);
        KeyValueStore<Bytes, byte[]> changes = context.getStateStore(ChangesLayout.STORE);
        received = new ReceivedChanges(changes, intake, topicId);
        incomplete = new IncompleteChanges(changes, intake, keys);
        heads = new Heads(state, shared.live());
        publisher = new Publisher(context, secrets.cleartextTopic());
        watch = new ChangeWatch(observer, context.taskId().partition());
        pruning = new Pruning(context::getStateStore, retention, shared.live().leases(), Pruning.Step.SHORT, watch);
        tags = new RevisionTags(history, writer, pruning, intake);
        watch.opened(new WorkspaceStatuses(state, context.getStateStore(RevisionsLayout.STORE)));
        Rewrap rewrap = new Rewrap(context::getStateStore, state, keys);
        upkeep = new Upkeep(context, received, incomplete, heads, pruning, rewrap, keys, this::rejectLate);
    }

    @Override
    public void process(Record<String, byte[]> record) {
        RecordMetadata place = context.recordMetadata().orElseThrow();
        keys.next();
        if (WorkspaceKey.partition(record.key(), partitions) != place.partition()) {
            sendToItsPartition(record, place);
            return;
        }
        ChangeEnvelope.Reading reading = takeUp(record, place);
        ChangeEnvelope envelope = reading.envelope();
        long now = context.currentSystemTimeMs();
        Workspace head = heads.get(envelope.workspace());
        Optional<PrincipalProof> claim = PrincipalProof.in(record.headers());
        Payload payload = Payload.of(record.value(), reading.origins());
        boolean isWhole = envelope.part().of() == 1;
        Answer unproven = new Answer(envelope, head, now);
        Answer answer = isWhole ? proven(unproven, claim, place.topic(), List.of(payload)) : unproven;
        if (!reading.problems().isEmpty()) {
            answer(answer.rejected(reading.problems()));
        } else if (received.wasApplied(envelope)) {
            answer(answer.of(OutcomeStatus.DUPLICATE, List.of()));
        } else if (isWhole && !incomplete.has(envelope)) {
            apply(answer, List.of(payload));
        } else {
            takePart(answer, claim, place.topic(), payload);
        }
    }

    /* Who published the change, if the record that completes it proves that for all of it. */
    private Answer proven(Answer answer, Optional<PrincipalProof> claim, String topic, List<Payload> whole) {
        if (claim.isEmpty()) {
            return answer;
        }
        ChangeEnvelope envelope = answer.envelope();
        return claim.get()
                .verified(keys.current(), topic, envelope, whole, answer.now(), intake.forgetChangesAfter())
                .map(principal -> new Answer(
                        envelope.with(envelope.terms(), envelope.note().by(principal)), answer.head(), answer.now()))
                .orElse(answer);
    }

    private ChangeEnvelope.Reading takeUp(Record<String, byte[]> record, RecordMetadata place) {
        watch.start(record.timestamp());
        ChangeEnvelope.Reading reading = ChangeEnvelope.read(
                record.key(),
                record.headers(),
                place.topic(),
                place.partition(),
                place.offset(),
                record.timestamp(),
                intake.limits());
        watch.begun(reading.envelope());
        return reading;
    }

    /*
     * Producers other than Java's may choose partitions by other rules. A record in the wrong partition is forwarded to
     * the partition of its workspace, in the same transaction. It is answered there, but keeps the id that it has here.
     * A record that unpacks to more than the topic takes cannot be forwarded. It is rejected here, where the workspace is not.
     */
    private void sendToItsPartition(Record<String, byte[]> record, RecordMetadata place) {
        byte[] key = record.key().getBytes(StandardCharsets.UTF_8);
        Headers headers = new RecordHeaders(record.headers());
        if (headers.lastHeader(HeaderNames.CE_ID) == null) {
            String id = place.topic() + "-" + place.partition() + "-" + place.offset();
            headers.add(HeaderNames.CE_ID, id.getBytes(StandardCharsets.UTF_8));
            headers.add(HeaderNames.ID_TOPIC, topicId.getBytes(StandardCharsets.UTF_8));
        }
        long bytes = RecordSize.of(key, record.value(), headers);
        if (bytes > RecordSize.MOST) {
            ChangeEnvelope envelope = takeUp(record, place).envelope();
            Problem problem = Problem.of(
                    ProblemCode.LIMIT_EXCEEDED,
                    "the record is not in the partition of its workspace, and is too large to be sent there: it has "
                            + bytes + " bytes unpacked, at most " + RecordSize.MOST + " can be sent",
                    "choose partitions as the Java producer does (murmur2 of the key), or cut the change into parts");
            answer(Answer.rejectedUnseen(envelope, context.currentSystemTimeMs(), problem));
            return;
        }
        context.forward(new Record<>(key, record.value(), record.timestamp(), headers), MISPLACED_SINK);
    }

    private void takePart(Answer answer, Optional<PrincipalProof> claim, String topic, Payload payload) {
        IncompleteChanges.Part part = incomplete.take(answer.envelope(), payload, answer.now());
        if (part.isComplete()) {
            apply(proven(answer, claim, topic, part.whole()), part.whole());
        } else if (part.rejections().isEmpty()) {
            answer(answer.of(OutcomeStatus.PENDING, part.warnings()));
        } else {
            answer(answer.rejected(part.rejections()));
        }
    }

    private void apply(Answer unread, List<Payload> payloads) {
        List<Problem> warnings = new ArrayList<>();
        try {
            ChangePlan.checkExpected(unread.envelope(), unread.head());
            Change change = reader.read(unread.envelope(), payloads, warnings::add);
            apply(change, unread.warning(warnings));
        } catch (RejectedChangeException e) {
            answer(unread.warning(warnings).rejected(e.problems()));
        }
    }

    private void apply(Change change, Answer answer) throws RejectedChangeException {
        String workspace = answer.envelope().workspace();
        boolean dryRun = answer.envelope().terms().dryRun();
        watch.enter(Stage.COMMIT_REVISION);
        if (change instanceof Change.Tag tag) {
            tags.put(workspace, tag, dryRun);
            finish(answer, OutcomeStatus.UNCHANGED, List.of());
        } else if (change instanceof Change.Untag untag) {
            finish(answer, OutcomeStatus.UNCHANGED, tags.remove(workspace, untag, dryRun));
            upkeep.stepSoon();
        } else {
            revise(
                    answer,
                    ChangePlan.accepted(
                            change,
                            answer.head(),
                            number -> state.editsBackTo(workspace, answer.head(), number),
                            intake,
                            keys.current().areThere()));
            if (change instanceof Change.WorkspaceDelete && !dryRun) {
                forgetHistory(workspace);
            }
        }
    }

    private void revise(Answer answer, Plan plan) throws RejectedChangeException {
        String workspace = answer.envelope().workspace();
        Renderer formed = renderer.with(secrets.form(workspace));
        if (plan.edits().isEmpty() && !answer.head().isDue(formed)) {
            finish(answer, OutcomeStatus.UNCHANGED, plan.warnings());
            return;
        }
        boolean dryRun = answer.envelope().terms().dryRun();
        watch.enter(Stage.RENDER);
        Contents contents = shared.documents().of(state, workspace, answer.head());
        Preview.Verdicts verdicts = new Preview.Verdicts();
        Update update = ChangePlan.update(plan, answer.head(), contents, formed, dryRun ? verdicts : Tracer.NONE);
        Revision revision = answer.revision(update);
        if (dryRun) {
            // In clear, as the outcome says where documents differ, and nothing else; of secret ones not even that.
            Preview preview =
                    Preview.of(answer.head(), contents, update, verdicts, Redaction.CLEARTEXT, DryRun.MOST_BYTES);
            answer(answer.of(update, revision, preview));
        } else {
            commit(answer, update, revision, formed.form());
        }
    }

    private void commit(Answer answer, Update update, Revision revision, RecordForm form) {
        String workspace = answer.envelope().workspace();
        watch.enter(Stage.COMMIT_REVISION);
        writer.write(workspace, answer.head(), update, revision);
        pruning.made(workspace, update.next().revision());
        upkeep.stepSoon();
        received.remember(answer.envelope(), revision.status(), update.next().revision(), answer.now());
        watch.revised(workspace, update, revision);
        watch.enter(Stage.RENDER);
        Contents stored = shared.documents().of(state, workspace, update.next());
        publisher.publish(answer.envelope(), answer.head(), update, stored, form);
        answer(answer.of(update, revision));
        heads.put(workspace, update.next());
    }

    private void answer(Outcome outcome) {
        publisher.answer(outcome);
        watch.done(outcome);
    }

    private void finish(Answer answer, OutcomeStatus status, List<Problem> warnings) {
        if (!answer.envelope().terms().dryRun()) {
            received.remember(answer.envelope(), status, answer.head().revision(), answer.now());
        }
        answer(answer.of(status, warnings));
    }

    /*
     * A deletion is an ordinary revision without documents, so that consumers get a tombstone for every record. All
     * revisions before it are pruned. The revision of the deletion itself stays: if the workspace is used again, its
     * revision numbers continue from there.
     */
    private void forgetHistory(String workspace) {
        long last = history.lastRevision(workspace);
        if (last > 0) {
            Revision revision = history.revision(workspace, last);
            writer.writeTags(workspace, last, revision.withTags(new TreeMap<>()));
            pruning.deleted(workspace, last);
            upkeep.stepSoon();
        }
    }

    private void rejectLate(ChangeEnvelope envelope, Workspace head, long now) {
        watch.start(0);
        answer(new Answer(envelope, head, now)
                .rejected(List.of(Problem.of(
                        ProblemCode.INVALID_CHANGE,
                        "parts of the change are missing after "
                                + intake.incompleteAfter().toSeconds() + " seconds",
                        "publish all parts again, with a new ce_id"))));
    }

    @Override
    public void close() {
        if (upkeep != null) { // null if init failed
            upkeep.close();
        }
        forgetHeap();
        watch.closed();
    }

    private void forgetHeap() {
        shared.documents().close(state);
        heads.close();
    }
}
