package dev.strake.client;

import dev.strake.client.RevisionPart.Document;
import dev.strake.client.RevisionPart.End;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.rendered.RenderedHeaders;
import dev.strake.serdes.rendered.RenderedKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Merges the records of one partition of both topics into one order: the documents that a change rendered, then its
 * outcome. One task writes both topics, so each topic is in order, but their records arrive independently.
 *
 * <pre>
 *  rendered   a1 a2 a3     b1 b2            ──►  a1 a2 a3 A  N  b1 b2 B
 *  outcomes              A       N B             N renders nothing
 * </pre>
 *
 * <p>An outcome states how many records its change has. If fewer arrive, compaction has removed some.
 */
public final class RevisionMerger {

    private static final Logger LOG = LoggerFactory.getLogger(RevisionMerger.class);

    /** The maximum bytes of rendered documents that wait for their outcome, if all workspaces are read. */
    static final long MOST_HELD = 1 << 20;

    private static final int MOST_OUTCOMES = 256;
    private static final int MOST_RENDERED = 4_096;

    private final int partition;
    private final String workspace;
    private final boolean withDocuments;
    private final Deque<Heard> outcomes = new ArrayDeque<>();
    private final Deque<Received> rendered = new ArrayDeque<>();
    private long heldBytes;
    private long outcomesRead;
    private long renderedRead;
    private long renderedTaken;
    private int taken;
    private int roundsWithoutProgress;
    private long endOfHead = -1;

    private record Heard(Outcome outcome, ConsumerRecord<byte[], byte[]> message, int records) {}

    private record Received(RenderedKey key, RenderedHeaders headers, ConsumerRecord<byte[], byte[]> message) {

        boolean isOf(Outcome outcome) {
            return key.workspace().equals(outcome.workspace())
                    && headers.cause().changeId().equals(outcome.change().id())
                    && outcome.revision() != null
                    && headers.revision() == outcome.revision();
        }

        long bytes() {
            return message.value() == null ? 0 : message.value().length;
        }
    }

    private RevisionMerger(
            int partition, String workspace, boolean withDocuments, long outcomesFrom, long renderedFrom) {
        this.partition = partition;
        this.workspace = workspace;
        this.withDocuments = withDocuments;
        this.outcomesRead = outcomesFrom;
        this.renderedRead = renderedFrom;
        this.renderedTaken = renderedFrom;
    }

    /**
     * Creates a merger for all workspaces. It holds a bounded number of bytes.
     *
     * @param withDocuments whether to read rendered documents, too
     * @param outcomesFrom offset of the first outcome
     * @param renderedFrom offset at or before the records of that outcome
     */
    public static RevisionMerger ofAll(int partition, boolean withDocuments, long outcomesFrom, long renderedFrom) {
        return new RevisionMerger(partition, null, withDocuments, outcomesFrom, renderedFrom);
    }

    /** Creates a merger for one workspace. It holds all records of a revision until its outcome arrives. */
    static RevisionMerger of(String workspace, int partition, long outcomesFrom, long renderedFrom) {
        return new RevisionMerger(partition, workspace, true, outcomesFrom, renderedFrom);
    }

    void addOutcome(ConsumerRecord<byte[], byte[]> message) {
        if (workspace != null && !Arrays.equals(message.key(), workspace.getBytes(StandardCharsets.UTF_8))) {
            return;
        }
        try {
            Outcome outcome = OutcomeJson.read(message.value());
            boolean isPublished = outcome.status() != OutcomeStatus.PLANNED && withDocuments;
            int records = outcome.work().emitted() + outcome.work().removed();
            outcomes.add(new Heard(outcome, message, isPublished ? records : 0));
        } catch (IllegalArgumentException | NullPointerException e) {
            LOG.warn("Skipped {}-{}@{}: it is not an outcome", message.topic(), message.partition(), message.offset());
        }
    }

    void addRendered(ConsumerRecord<byte[], byte[]> message) {
        try {
            RenderedKey key = RenderedKey.of(message.key());
            if (workspace != null && !workspace.equals(key.workspace())) {
                return;
            }
            Received received = new Received(key, RenderedHeaders.read(message.headers()), message);
            rendered.add(received);
            heldBytes += received.bytes();
        } catch (IllegalArgumentException | NullPointerException e) {
            LOG.warn(
                    "Skipped {}-{}@{}: it is not a rendered document",
                    message.topic(),
                    message.partition(),
                    message.offset());
        }
    }

    /** Sets the positions in both topics, which may be beyond the last record. */
    void readTo(long outcomesOffset, long renderedOffset) {
        outcomesRead = outcomesOffset;
        renderedRead = renderedOffset;
    }

    /** Removes and returns the parts that are in order by now. */
    List<RevisionPart> take() {
        List<RevisionPart> parts = new ArrayList<>();
        while (!outcomes.isEmpty()) {
            Heard head = outcomes.element();
            takeRendered(head, parts);
            boolean isWhole = taken == head.records();
            if (!isWhole && !isReadToItsEnd()) {
                roundsWithoutProgress++;
                break;
            }
            parts.add(new End(head.outcome(), head.message(), renderedTaken, isWhole));
            outcomes.remove();
            taken = 0;
            roundsWithoutProgress = 0;
            endOfHead = -1;
        }
        return parts;
    }

    private void takeRendered(Heard head, List<RevisionPart> parts) {
        while (taken < head.records() && has(head.outcome())) {
            Received next = next(head.outcome());
            parts.add(new Document(
                    next.key(), next.headers(), next.message(), head.message().offset()));
            renderedTaken = next.message().offset() + 1;
            taken++;
            roundsWithoutProgress = 0;
        }
    }

    private boolean has(Outcome outcome) {
        // Nearly always the first one matches. Others precede it only if their outcome is before the start.
        return rendered.stream().anyMatch(each -> each.isOf(outcome));
    }

    private Received next(Outcome outcome) {
        Received next;
        do {
            next = rendered.remove();
            heldBytes -= next.bytes();
        } while (!next.isOf(outcome));
        return next;
    }

    private boolean isReadToItsEnd() {
        return (endOfHead >= 0 && renderedRead >= endOfHead) || (withDocuments && !wantsRendered());
    }

    /** Whether an outcome waits for records that do not arrive. The caller then has to look up {@link #endsBefore}. */
    boolean isStuck() {
        return roundsWithoutProgress > 2 && endOfHead < 0;
    }

    /**
     * Sets an offset after all records of the first outcome. Records that are missing before it were compacted away.
     *
     * @param offset the end of the topic, including open transactions, looked up after the outcome was read
     */
    void endsBefore(long offset) {
        endOfHead = offset;
    }

    boolean wantsOutcomes() {
        return outcomes.size() < MOST_OUTCOMES;
    }

    boolean wantsRendered() {
        return withDocuments && (workspace != null || (heldBytes < MOST_HELD && rendered.size() < MOST_RENDERED));
    }

    boolean withDocuments() {
        return withDocuments;
    }

    public int partition() {
        return partition;
    }

    public long outcomesRead() {
        return outcomesRead;
    }

    long renderedRead() {
        return renderedRead;
    }

    /** Whether an outcome waits for its records. */
    boolean isWaiting() {
        return !outcomes.isEmpty();
    }

    /** Whether all records were taken. */
    boolean isEmpty() {
        return outcomes.isEmpty() && rendered.isEmpty();
    }

    /** Whether the last part that was taken is an outcome. */
    public boolean isBetweenChanges() {
        return taken == 0;
    }

    /** Offset of the first outcome that was not taken. */
    public long nextOutcome() {
        return outcomes.isEmpty() ? outcomesRead : outcomes.element().message().offset();
    }
}
