package dev.strake.server.events;

import dev.strake.serdes.HeaderNames;
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
import java.util.Iterator;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the records of one partition of both topics into one order: what a change rendered, then its outcome. One task
 * writes both, so each topic alone is in order; but their records arrive apart.
 *
 * <pre>
 *  rendered   a1 a2 a3     b1 b2            ──►  a1 a2 a3 A  N  b1 b2 B
 *  outcomes              A       N B             N renders nothing
 * </pre>
 *
 * <p>An outcome says how many records its change has. If fewer come, the topic was compacted in between.
 */
final class Merge {

    private static final Logger LOG = LoggerFactory.getLogger(Merge.class);

    /** Rendered documents, in bytes, that are held until their outcome has come. */
    static final int MOST_HELD = 1 << 20;

    private static final int MOST_OUTCOMES = 256;

    /** What is read later than this after its change was taken up was not waited for: a transaction may take as long. */
    private static final long LATEST_MILLIS = 60_000;

    private final int partition;
    private final boolean withRendered;
    private final Deque<Answered> outcomes = new ArrayDeque<>();
    private final Deque<Received> rendered = new ArrayDeque<>();
    private long heldBytes;
    private long outcomesRead;
    private long renderedRead;
    private long renderedTaken;
    private int taken;
    private int rounds;
    private long lastOfHead = -1;

    @SuppressWarnings("ArrayRecordComponent") // not compared
    private record Answered(Outcome outcome, long offset, int records, byte[] json) {}

    @SuppressWarnings("ArrayRecordComponent") // not compared
    private record Received(RenderedKey key, RenderedHeaders headers, String hash, byte[] value, long offset) {

        boolean isOf(Outcome outcome) {
            return key.workspace().equals(outcome.workspace())
                    && headers.changeId().equals(outcome.change().id())
                    && outcome.revision() != null
                    && headers.revision() == outcome.revision();
        }

        long bytes() {
            return value == null ? 0 : value.length;
        }
    }

    /**
     * @param withRendered whether rendered documents are wanted, too
     * @param outcomesFrom offset of the first outcome that is wanted
     * @param renderedFrom offset at or before which its records begin
     */
    Merge(int partition, boolean withRendered, long outcomesFrom, long renderedFrom) {
        this.partition = partition;
        this.withRendered = withRendered;
        this.outcomesRead = outcomesFrom;
        this.renderedRead = renderedFrom;
        this.renderedTaken = renderedFrom;
    }

    /** @param now when it was read, in milliseconds */
    void addOutcome(ConsumerRecord<byte[], byte[]> message, long now) {
        try {
            Outcome outcome = OutcomeJson.read(message.value());
            byte[] json = withLatency(message.value(), outcome, now);
            outcomes.add(new Answered(outcome, message.offset(), records(outcome), json));
        } catch (IllegalArgumentException | NullPointerException e) {
            LOG.warn("Passed over {}-{}@{}: it is no outcome", message.topic(), message.partition(), message.offset());
        }
    }

    /*
     * From when the change was taken up until its outcome is committed, and so can be read. What is read long after tells nothing of
     * how long that took.
     */
    private static byte[] withLatency(byte[] json, Outcome outcome, long now) {
        long millis = Math.max(0, now - outcome.time().toEpochMilli());
        if (millis > LATEST_MILLIS || json[json.length - 1] != '}') {
            return json;
        }
        byte[] member = (",\"latencyMillis\":" + millis + "}").getBytes(StandardCharsets.UTF_8);
        byte[] told = Arrays.copyOf(json, json.length - 1 + member.length);
        System.arraycopy(member, 0, told, json.length - 1, member.length);
        return told;
    }

    private int records(Outcome outcome) {
        boolean published = outcome.status() != OutcomeStatus.PLANNED && withRendered;
        return published ? outcome.work().emitted() + outcome.work().removed() : 0;
    }

    void addRendered(ConsumerRecord<byte[], byte[]> message) {
        try {
            RenderedKey key = RenderedKey.of(message.key());
            RenderedHeaders headers = RenderedHeaders.read(message.headers());
            Header hash = message.headers().lastHeader(HeaderNames.CONTENT_HASH);
            String text = hash == null ? "" : new String(hash.value(), StandardCharsets.UTF_8);
            Received received = new Received(key, headers, text, message.value(), message.offset());
            rendered.add(received);
            heldBytes += received.bytes();
        } catch (IllegalArgumentException | NullPointerException e) {
            LOG.warn(
                    "Passed over {}-{}@{}: it is no rendered document",
                    message.topic(),
                    message.partition(),
                    message.offset());
        }
    }

    /** Says how far both topics were read, which may be behind the last record. */
    void readTo(long outcomesOffset, long renderedOffset) {
        outcomesRead = outcomesOffset;
        renderedRead = renderedOffset;
    }

    long outcomesRead() {
        return outcomesRead;
    }

    long renderedRead() {
        return renderedRead;
    }

    boolean wantsOutcomes() {
        return outcomes.size() < MOST_OUTCOMES;
    }

    boolean wantsRendered() {
        return withRendered && heldBytes < MOST_HELD && rendered.size() < 16 * MOST_OUTCOMES;
    }

    /** What is in order by now. */
    List<Event> take() {
        List<Event> events = new ArrayList<>();
        while (!outcomes.isEmpty()) {
            Answered head = outcomes.element();
            takeRendered(head, events);
            if (taken < head.records()) {
                if (!isIncomplete()) {
                    rounds++;
                    break;
                }
                events.add(Event.reset(Event.Gone.COMPACTED, head.outcome().workspace(), partition, head.offset()));
            }
            events.add(Event.of(head.outcome(), head.json(), partition, head.offset(), renderedTaken));
            outcomes.remove();
            taken = 0;
            rounds = 0;
            lastOfHead = -1;
        }
        return events;
    }

    private void takeRendered(Answered head, List<Event> events) {
        while (taken < head.records() && has(head.outcome())) {
            Received next = next(head.outcome());
            events.add(Event.of(next.key(), next.headers(), next.hash(), next.value(), partition, head.offset()));
            renderedTaken = next.offset() + 1;
            taken++;
            rounds = 0;
        }
    }

    private boolean has(Outcome outcome) {
        // Nearly always the first one. Others stand before it only if their outcome was before the beginning.
        return rendered.stream().anyMatch(each -> each.isOf(outcome));
    }

    private Received next(Outcome outcome) {
        for (Iterator<Received> each = rendered.iterator(); each.hasNext(); ) {
            Received next = each.next();
            each.remove();
            heldBytes -= next.bytes();
            if (next.isOf(outcome)) {
                return next;
            }
        }
        throw new IllegalStateException("it was there");
    }

    private boolean isIncomplete() {
        return (lastOfHead >= 0 && renderedRead >= lastOfHead) || (withRendered && !wantsRendered());
    }

    /** Whether an outcome has waited for records that do not come, so that it has to be found out where they would end. */
    boolean isStuck() {
        return rounds > 2 && lastOfHead < 0;
    }

    /** Says before which offset all records of the first outcome are, if they still are. */
    void endsBefore(long offset) {
        lastOfHead = offset;
    }

    /** Whether all that was taken ends with an outcome. */
    boolean isBetweenChanges() {
        return taken == 0;
    }

    /** Offset of the first outcome that was not taken. */
    long nextOutcome() {
        return outcomes.isEmpty() ? outcomesRead : outcomes.element().offset();
    }

    int partition() {
        return partition;
    }
}
