package dev.strake.cli.verify;

import dev.strake.cli.verify.Verdict.Difference;
import dev.strake.cli.verify.Verdict.Kind;
import dev.strake.client.PartitionReader;
import dev.strake.engine.document.Document;
import dev.strake.engine.graph.Facts;
import dev.strake.engine.graph.Graph;
import dev.strake.engine.graph.GraphUpdate;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.workspace.Edit;
import dev.strake.engine.workspace.Plan;
import dev.strake.serdes.TopicNames;
import dev.strake.serdes.change.ChangeEnvelope;
import dev.strake.serdes.change.ChangeReader;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.change.Payload;
import dev.strake.serdes.change.RejectedChangeException;
import dev.strake.serdes.change.Unsealing;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.text.Limits;
import dev.strake.server.kafka.KafkaSettings;
import dev.strake.topology.TopologySettings;
import dev.strake.topology.apply.ChangePlan;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The documents as the changes of a workspace leave them, one after the other, from its first revision on or from its
 * last deletion. Outcomes tell which changes made revisions, as some of that hangs on time (what was forgotten, what was
 * pruned); what those came to is worked out anew.
 */
final class ReplayedChanges implements Source {

    private final String workspace;
    private final String changesTopic;
    private final Limits limits;
    private final ChangeReader reader;
    private final long deadline;
    private final PartitionReader outcomes;
    private final PartitionReader changes;

    private final Deque<Told> told = new ArrayDeque<>();
    private final List<ConsumerRecord<byte[], byte[]>> unanswered = new ArrayList<>();
    private final Map<String, List<ConsumerRecord<byte[], byte[]>>> parts = new HashMap<>();
    private final Map<DocumentId, NavigableMap<Long, Edit>> past = new TreeMap<>();
    private final List<Difference> unexplained = new ArrayList<>();
    private Graph graph = Graph.EMPTY;
    private String obstacle;
    private long answered = -1;
    private long head;
    private long shown;
    private boolean partial;

    /** An outcome and the offset of its change; -1 if that lies in no topic of this Strake. */
    private record Told(Outcome outcome, long offset) {

        boolean isRevision() {
            return outcome.status().isOfRevision() && outcome.revision() != null;
        }

        /* With a warning it is a part that came before. */
        boolean isPart() {
            return outcome.status() == OutcomeStatus.PENDING
                    && outcome.warnings().isEmpty();
        }

        /* Revisions count from 1 again where state was lost and that was accepted. */
        boolean isBeginning() {
            return isRevision() && (outcome.revision() == 1 || isDeletion());
        }

        boolean isDeletion() {
            return ChangeType.WORKSPACE_DELETE.text().equals(outcome.change().type());
        }
    }

    /**
     * @param work of the pipeline, as changes are read with its limits, and sealed ones with its keys
     * @param deadline in terms of {@link System#nanoTime}
     */
    ReplayedChanges(
            KafkaSettings kafka,
            String topicPrefix,
            String workspace,
            TopologySettings work,
            Duration timeout,
            long deadline) {
        this.workspace = workspace;
        this.changesTopic = topicPrefix + TopicNames.CHANGES;
        this.limits = work.intake().limits();
        this.reader = new ChangeReader(limits, new Unsealing(work.secrets().keys(), false));
        this.deadline = deadline;
        this.outcomes =
                PartitionReader.open(kafka.cluster(), topicPrefix + TopicNames.OUTCOMES, workspace, true, timeout);
        try {
            this.changes = PartitionReader.open(kafka.cluster(), changesTopic, workspace, true, timeout);
        } catch (RuntimeException e) {
            outcomes.close();
            throw e;
        }
    }

    @Override
    public Standing standing() throws UnverifiableException {
        byte[] key = workspace.getBytes(StandardCharsets.UTF_8);
        outcomes.readToEnd(deadline, message -> {
            if (Arrays.equals(message.key(), key)) {
                hear(message.value());
            }
        });
        List<ConsumerRecord<byte[], byte[]>> early = List.copyOf(unanswered);
        unanswered.clear();
        early.forEach(this::read);
        changes.readToEnd(deadline, message -> {
            if (Arrays.equals(message.key(), key)) {
                read(message);
            }
        });
        while (!told.isEmpty()) {
            replay(told.removeFirst(), null);
        }
        if (head == 0) {
            throw new UnverifiableException(
                    "No outcome of workspace %s tells of a revision: there is no such workspace, or the topic no longer reaches back to it."
                            .formatted(workspace));
        }
        if (obstacle != null) {
            throw new UnverifiableException(obstacle + " Use --from stores.");
        }
        return new Standing(head, shown, partial, null, List.copyOf(unexplained));
    }

    private void hear(byte[] value) {
        Told heard;
        try {
            Outcome outcome = OutcomeJson.read(value == null ? new byte[0] : value);
            heard = new Told(outcome, offset(outcome.change().input()));
        } catch (IllegalArgumentException e) {
            return; // the consumer's view holds it against the topic
        }
        answered = Math.max(answered, heard.offset());
        if (heard.isBeginning()) {
            told.removeIf(Told::isRevision);
        }
        if (heard.isRevision() || heard.isPart()) {
            told.add(heard);
        }
    }

    private long offset(String input) {
        String place = changesTopic + "-" + changes.partition() + "@";
        return input.startsWith(place) ? Long.parseLong(input.substring(place.length())) : -1;
    }

    /* Outcomes follow on each other as their changes do. */
    private void read(ConsumerRecord<byte[], byte[]> record) {
        while (!told.isEmpty() && told.getFirst().offset() < record.offset()) {
            replay(told.removeFirst(), null);
        }
        if (!told.isEmpty() && told.getFirst().offset() == record.offset()) {
            replay(told.removeFirst(), record);
        } else if (record.offset() > answered) {
            unanswered.add(record);
        }
    }

    private void replay(Told next, ConsumerRecord<byte[], byte[]> record) {
        Outcome outcome = next.outcome();
        if (next.isPart()) {
            if (record != null) {
                parts.computeIfAbsent(outcome.change().id(), id -> new ArrayList<>())
                        .add(record);
            }
            return;
        }
        if (next.isBeginning()) {
            begin();
        } else if (obstacle == null && outcome.revision() != head + 1) {
            obstacle = "The outcomes of workspace %s no longer reach back to its beginning: revision %d follows on %s."
                    .formatted(workspace, outcome.revision(), head == 0 ? "nothing" : head);
        }
        head = outcome.revision();
        if (obstacle == null && !next.isDeletion()) {
            apply(outcome, record);
        }
        if (outcome.status() != OutcomeStatus.FAILED) {
            shown = head;
            partial = outcome.status() == OutcomeStatus.PARTIAL;
        }
    }

    private void begin() {
        past.clear();
        unexplained.clear();
        graph = Graph.EMPTY;
        shown = 0;
        partial = false;
        obstacle = null;
    }

    private void apply(Outcome outcome, ConsumerRecord<byte[], byte[]> record) {
        ChangeEnvelope envelope = record == null ? null : reading(record).envelope();
        List<Payload> parts = record == null ? List.of() : parts(envelope, record);
        if (parts.isEmpty()) {
            obstacle = "The topic %s no longer reaches back to the change that made revision %d of workspace %s, at %s."
                    .formatted(changesTopic, head, workspace, outcome.change().input());
            return;
        }
        try {
            Plan plan = ChangePlan.of(reader.read(envelope, parts), graph, this::editsBackTo);
            if (plan.rejections().isEmpty()) {
                revise(plan);
            }
            if (plan.rejections().isEmpty()
                    && !plan.edits().isEmpty()
                    && graph.size() == outcome.documents().total()) {
                return;
            }
        } catch (RejectedChangeException e) {
            if (e.problems().stream().anyMatch(each -> each.code() == ProblemCode.SECRET_KEY_NOT_FOUND)) {
                obstacle =
                        "The change at %s has sealed documents, and the key for them is not here: give --secrets-keyset."
                                .formatted(outcome.change().input());
                return;
            }
        } catch (IllegalArgumentException e) {
            // Told below: whatever it was, this is no change that makes a revision.
        }
        unexplained.add(
                new Difference(Kind.UNEXPLAINED, null, null, outcome.change().input()));
    }

    /*
     * Of a change in parts those count that came last: an earlier attempt with the same id may have been given up.
     * Nothing if parts are missing.
     */
    private List<Payload> parts(ChangeEnvelope last, ConsumerRecord<byte[], byte[]> record) {
        if (last.part().of() == 1) {
            return List.of(payload(record));
        }
        List<ConsumerRecord<byte[], byte[]>> came = parts.getOrDefault(last.changeId(), List.of());
        NavigableMap<Integer, Payload> payloads = new TreeMap<>();
        came.subList(Math.max(0, came.size() - last.part().of() + 1), came.size())
                .forEach(each -> payloads.put(reading(each).envelope().part().number(), payload(each)));
        payloads.put(last.part().number(), payload(record));
        parts.remove(last.changeId());
        return payloads.size() == last.part().of() ? List.copyOf(payloads.values()) : List.of();
    }

    private ChangeEnvelope.Reading reading(ConsumerRecord<byte[], byte[]> record) {
        return ChangeEnvelope.read(
                workspace,
                record.headers(),
                record.topic(),
                record.partition(),
                record.offset(),
                record.timestamp(),
                limits);
    }

    private Payload payload(ConsumerRecord<byte[], byte[]> record) {
        return Payload.of(record.value(), reading(record).origins());
    }

    private void revise(Plan plan) {
        Map<DocumentId, Facts> facts = new HashMap<>();
        plan.edits().forEach((id, edit) -> {
            past.computeIfAbsent(id, document -> new TreeMap<>()).put(head, edit);
            facts.put(id, edit.facts());
        });
        graph = new GraphUpdate(graph, facts, new ChangeEffort(Long.MAX_VALUE)).graph();
    }

    private Map<DocumentId, Edit> editsBackTo(long revision) throws RejectedChangeException {
        if (revision >= head) {
            throw new RejectedChangeException(
                    List.of(Problem.of(ProblemCode.REVISION_NOT_FOUND, "there is no revision " + revision, null)));
        }
        Map<DocumentId, Edit> edits = new TreeMap<>();
        past.forEach((id, states) -> edits.put(id, asOf(states, revision)));
        return edits;
    }

    private static Edit asOf(NavigableMap<Long, Edit> states, long revision) {
        Map.Entry<Long, Edit> state = states.floorEntry(revision);
        return state == null ? Edit.REMOVAL : state.getValue();
    }

    @Override
    public Optional<List<Document>> documents(Standing standing) {
        return Optional.of(past.values().stream()
                .map(states -> asOf(states, standing.shown()).document())
                .filter(document -> document != null)
                .toList());
    }

    @Override
    public void close() {
        outcomes.close();
        changes.close();
    }
}
