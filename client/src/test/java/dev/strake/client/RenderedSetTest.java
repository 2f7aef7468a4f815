package dev.strake.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.client.PublishedHistory.Published;
import dev.strake.client.RenderedUpdate.Kind;
import dev.strake.serdes.outcome.Outcome;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RenderedSetTest {

    private Follower follower = new Follower();
    private long offset;

    /* All outcomes are visible, but only the records of revision 1, whose set revision 3 restores. */
    @Test
    void shouldSkipRecordsThatRestoreTheDeliveredSet() {
        PublishedHistory history = new PublishedHistory("ws")
                .revision(Map.of("a", "1", "b", "1"))
                .revision(Map.of("a", "2", "b", "2"))
                .revision(Map.of("a", "1", "b", "1"))
                .revision(Map.of("b", "4"));
        Snapshot snapshot = new Snapshot();
        add(snapshot, history.records(1));
        snapshot.add(history.outcome(3), 2);
        assertThat(snapshot.whole(Kind.SNAPSHOT).orElseThrow().revision()).isEqualTo(3);
        snapshot.set().moveTo(offset, 3);
        follower = new Follower(snapshot.set());
        follower.add(history.records(2));
        follower.add(history.records(3));
        follower.add(history.duplicate(3));
        assertThat(follower.next()).isEmpty();
        assertThat(follower.isWaiting()).isFalse();
        follower.add(history.records(4));
        follower.add(history.outcome(4));
        RenderedUpdate update = follower.next().orElseThrow();
        assertThat(update.revision()).isEqualTo(4);
        assertThat(update.put()).hasSize(1);
    }

    @Test
    void shouldLeaveRecordsOfLaterRevisionsOutOfASnapshot() {
        PublishedHistory history =
                new PublishedHistory("ws").revision(Map.of("a", "1", "b", "1")).revision(Map.of("a", "2"));
        Snapshot snapshot = new Snapshot();
        add(snapshot, history.records(1));
        snapshot.add(history.outcome(1), 0);
        add(snapshot, history.records(2));
        Copy copy = new Copy();
        copy.take(snapshot.whole(Kind.SNAPSHOT).orElseThrow());
        assertThat(copy.held()).isEqualTo(history.set(1));
        assertThat(snapshot.firstLeft()).hasValue(2);
    }

    @Test
    void shouldReportAnIncompleteSnapshotOnlyOnceAllIsRead() {
        PublishedHistory history = new PublishedHistory("ws").revision(Map.of("a", "1", "b", "1"));
        Snapshot snapshot = new Snapshot();
        add(snapshot, history.records(1).subList(0, 1));
        snapshot.add(history.outcome(1), 0);
        assertThat(snapshot.whole(Kind.SNAPSHOT)).isEmpty();
        assertThat(snapshot.isIncomplete()).isFalse();
        assertThat(snapshot.whole(Kind.SNAPSHOT)).isEmpty();
        assertThat(snapshot.isIncomplete()).isTrue();
    }

    /* The hash of a dry run is that of an unpublished set. */
    @Test
    void shouldSkipOutcomesOfDryRuns() {
        PublishedHistory history = new PublishedHistory("ws").revision(Map.of("a", "1"));
        follower.add(history.records(1));
        follower.add(history.outcome(1));
        follower.next();
        history.revision(Map.of("a", "never"));
        follower.add(history.dryRun(2));
        assertThat(follower.next()).isEmpty();
        assertThat(follower.isWaiting()).isFalse();
        history.revision(Map.of("a", "1", "b", "2"));
        follower.add(history.records(3));
        follower.add(history.outcome(3));
        assertThat(follower.next().orElseThrow().revision()).isEqualTo(3);
    }

    static Stream<Long> seeds() {
        return new Random(22).longs(500).boxed();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldDeliverWholeRevisionsInAnyOrderOfTopics(long seed) {
        Random random = new Random(seed);
        PublishedHistory history = PublishedHistory.random("ws", random, 12);
        Copy copy = new Copy();
        List<Long> delivered = new ArrayList<>();
        int records = 0;
        int outcomes = 0;
        List<Published> all = allRecords(history);
        while (records < all.size() || outcomes < history.size()) {
            if (outcomes == history.size() || (records < all.size() && random.nextBoolean())) {
                follower.add(all.get(records++));
            } else {
                follower.add(history.outcome(++outcomes));
            }
            for (Optional<RenderedUpdate> next = follower.next(); next.isPresent(); next = follower.next()) {
                copy.take(next.get());
                delivered.add(next.get().revision());
                assertThat(copy.held()).isEqualTo(history.set(next.get().revision()));
            }
        }
        List<Long> changing = new ArrayList<>();
        for (int revision = 1; revision <= history.size(); revision++) {
            if (!history.records(revision).isEmpty()) {
                changing.add((long) revision);
            }
        }
        assertThat(delivered).isEqualTo(changing);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldDeliverOnlyCompleteSetsOfACompactedTopic(long seed) {
        Random random = new Random(seed);
        PublishedHistory history = PublishedHistory.random("ws", random, 12);
        follower.add(compacted(allRecords(history), random));
        Copy copy = new Copy();
        for (int revision = 1; revision <= history.size(); revision++) {
            follower.add(history.outcome(revision));
            follower.endRecords();
            Optional<RenderedUpdate> next = follower.next();
            if (next.isPresent()) {
                copy.take(next.get());
                assertThat(copy.held()).isEqualTo(history.set(revision));
            }
        }
        assertThat(copy.held()).isEqualTo(history.set(history.size()));
    }

    /* The follower sees one topic before the other, and is killed at any moment; some outcomes are repeated. */
    @ParameterizedTest
    @MethodSource("seeds")
    void shouldDeliverEachRevisionOnceFromAnyCheckpoint(long seed) {
        Random random = new Random(seed);
        PublishedHistory history = PublishedHistory.random("ws", random, 12);
        List<Published> records = allRecords(history);
        List<Outcome> outcomes = new ArrayList<>();
        for (int revision = 1; revision <= history.size(); revision++) {
            outcomes.add(history.outcome(revision));
            if (random.nextBoolean()) {
                outcomes.add(history.duplicate(revision));
            }
        }
        Copy copy = new Copy();
        long last = 0;
        while (follower.nextRendered() < records.size() || follower.nextOutcome() < outcomes.size()) {
            boolean isEnd = follower.nextOutcome() == outcomes.size();
            if (isEnd || (follower.nextRendered() < records.size() && random.nextBoolean())) {
                follower.add(records.get((int) follower.nextRendered()));
            } else {
                follower.add(outcomes.get((int) follower.nextOutcome()));
            }
            for (Optional<RenderedUpdate> next = follower.next(); next.isPresent(); next = follower.next()) {
                copy.take(next.get());
                assertThat(next.get().revision()).isGreaterThan(last);
                last = next.get().revision();
                assertThat(copy.held()).isEqualTo(history.set(last));
            }
            if (random.nextInt(8) == 0) {
                follower.restart();
            }
        }
        assertThat(copy.held()).isEqualTo(history.set(history.size()));
    }

    /* Removes some of the records that have a later record with the same key. */
    private static List<Published> compacted(List<Published> records, Random random) {
        List<Published> kept = new ArrayList<>();
        Set<Object> later = new HashSet<>();
        for (int i = records.size() - 1; i >= 0; i--) {
            if (later.add(records.get(i).key()) || random.nextInt(3) > 0) {
                kept.add(0, records.get(i));
            }
        }
        return kept;
    }

    private static List<Published> allRecords(PublishedHistory history) {
        List<Published> all = new ArrayList<>();
        for (int revision = 1; revision <= history.size(); revision++) {
            all.addAll(history.records(revision));
        }
        return all;
    }

    private void add(Snapshot snapshot, List<Published> records) {
        records.forEach(record -> snapshot.add(record.read(), record.value(), offset++));
    }
}
