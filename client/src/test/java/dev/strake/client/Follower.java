package dev.strake.client;

import dev.strake.client.PublishedHistory.Published;
import dev.strake.serdes.outcome.Outcome;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** Follows a workspace like a subscription, without Kafka: the test fills its topics. */
final class Follower {

    private final Deque<RevisionPart> parts = new ArrayDeque<>();
    private RenderedSet set;
    private RevisionMerger revisions;
    private long nextRendered;
    private long nextOutcome;

    Follower() {
        this(new RenderedSet());
    }

    Follower(RenderedSet set) {
        resume(set);
    }

    private void resume(RenderedSet from) {
        Checkpoint place = from.checkpoint("ws");
        set = from;
        parts.clear();
        nextRendered = place.rendered();
        nextOutcome = place.outcomes();
        revisions = RevisionMerger.of("ws", 0, nextOutcome, nextRendered);
    }

    /** Stops, and resumes after the last update. */
    void restart() {
        resume(new RenderedSet(set.checkpoint("ws")));
    }

    long nextRendered() {
        return nextRendered;
    }

    long nextOutcome() {
        return nextOutcome;
    }

    void add(List<Published> records) {
        records.forEach(this::add);
    }

    void add(Published record) {
        revisions.addRendered(record.message(nextRendered++));
    }

    void add(Outcome outcome) {
        revisions.addOutcome(PublishedHistory.message(outcome, nextOutcome++));
    }

    Optional<RenderedUpdate> next() {
        revisions.readTo(nextOutcome, nextRendered);
        parts.addAll(revisions.take());
        while (!parts.isEmpty()) {
            Optional<RenderedUpdate> update = set.take(parts.remove());
            if (update.isPresent()) {
                return update;
            }
        }
        return Optional.empty();
    }

    /** Marks the end of the topic: it contains only the added records. */
    void endRecords() {
        revisions.endsBefore(nextRendered);
    }

    boolean isWaiting() {
        return revisions.isWaiting();
    }
}
