package dev.strake.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.client.PublishedHistory.Published;
import dev.strake.client.RenderedUpdate.Kind;
import java.util.ArrayList;
import java.util.Collections;
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

    private final RenderedSet set = new RenderedSet();
    private long offset;

    @Test
    void shouldHoldARevisionBackUntilAllOfItsRecordsCame() {
        PublishedHistory history = new PublishedHistory("ws").revision(Map.of("a", "1", "b", "1"));
        set.add(history.outcome(1), offset++);
        add(history.records(1).get(0));
        assertThat(set.next(Kind.REVISION)).isEmpty();
        assertThat(set.isWaiting()).isTrue();
        add(history.records(1).get(1));
        assertThat(set.next(Kind.REVISION).orElseThrow().put()).hasSize(2);
        assertThat(set.isWaiting()).isFalse();
    }

    @Test
    void shouldNotMixRevisionsWhoseRecordsCameBeforeTheirOutcomes() {
        PublishedHistory history =
                new PublishedHistory("ws").revision(Map.of("a", "1")).revision(Map.of("a", "2", "b", "2"));
        add(history.records(1));
        add(history.records(2));
        set.add(history.outcome(1), offset++);
        RenderedUpdate first = set.next(Kind.REVISION).orElseThrow();
        assertThat(first.revision()).isEqualTo(1);
        assertThat(first.put()).hasSize(1);
        set.add(history.outcome(2), offset++);
        assertThat(set.next(Kind.REVISION).orElseThrow().put()).hasSize(2);
    }

    @Test
    void shouldPassOverOutcomesThatChangedNothing() {
        PublishedHistory history = new PublishedHistory("ws")
                .revision(Map.of("a", "1"))
                .revision(Map.of())
                .revision(Map.of("a", "3"));
        for (int revision = 1; revision <= 3; revision++) {
            add(history.records(revision));
            set.add(history.outcome(revision), offset++);
        }
        assertThat(set.next(Kind.REVISION).orElseThrow().revision()).isEqualTo(1);
        assertThat(set.next(Kind.REVISION).orElseThrow().revision()).isEqualTo(3);
        assertThat(set.next(Kind.REVISION)).isEmpty();
    }

    /* All outcomes were visible, and of the records only those of revision 1, to which revision 3 leads back. */
    @Test
    void shouldPassOverRecordsThatLeadBackToTheSetThatWasDelivered() {
        PublishedHistory history = new PublishedHistory("ws")
                .revision(Map.of("a", "1", "b", "1"))
                .revision(Map.of("a", "2", "b", "2"))
                .revision(Map.of("a", "1", "b", "1"))
                .revision(Map.of("b", "4"));
        add(history.records(1));
        set.add(history.outcome(3), offset++);
        assertThat(set.next(Kind.SNAPSHOT).orElseThrow().revision()).isEqualTo(3);
        add(history.records(2));
        add(history.records(3));
        set.add(history.outcome(3), offset++);
        assertThat(set.next(Kind.REVISION)).isEmpty();
        assertThat(set.isWaiting()).isFalse();
        add(history.records(4));
        set.add(history.outcome(4), offset++);
        RenderedUpdate update = set.next(Kind.REVISION).orElseThrow();
        assertThat(update.revision()).isEqualTo(4);
        assertThat(update.put()).hasSize(1);
    }

    /* Its hash is that of a set which nobody has published. */
    @Test
    void shouldPassOverOutcomesOfDryRuns() {
        PublishedHistory history = new PublishedHistory("ws").revision(Map.of("a", "1"));
        add(history.records(1));
        set.add(history.outcome(1), offset++);
        set.next(Kind.SNAPSHOT);
        history.revision(Map.of("a", "never"));
        set.add(history.dryRun(2), offset++);
        assertThat(set.isWaiting()).isFalse();
        history.revision(Map.of("a", "1", "b", "2"));
        add(history.records(3));
        set.add(history.outcome(3), offset++);
        assertThat(set.next(Kind.REVISION).orElseThrow().revision()).isEqualTo(3);
    }

    @Test
    void shouldTellRemovedDocumentsOfARevisionOnly() {
        Map<String, String> gone = new java.util.TreeMap<>();
        gone.put("a", null);
        PublishedHistory history =
                new PublishedHistory("ws").revision(Map.of("a", "1", "b", "1")).revision(gone);
        add(history.records(1));
        set.add(history.outcome(1), offset++);
        set.next(Kind.SNAPSHOT);
        add(history.records(2));
        set.add(history.outcome(2), offset++);
        RenderedUpdate update = set.next(Kind.REVISION).orElseThrow();
        assertThat(update.put()).isEmpty();
        assertThat(update.removed()).hasSize(1);
    }

    static Stream<Long> seeds() {
        return new Random(22).longs(500).boxed();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldDeliverEveryRevisionWholeHoweverTopicsAreAheadOfOneAnother(long seed) {
        Random random = new Random(seed);
        PublishedHistory history = PublishedHistory.random("ws", random, 12);
        Copy copy = new Copy();
        List<Long> delivered = new ArrayList<>();
        int records = 0;
        int outcomes = 0;
        List<Published> all = allRecords(history);
        while (records < all.size() || outcomes < history.size()) {
            if (outcomes == history.size() || (records < all.size() && random.nextBoolean())) {
                add(all.get(records++));
            } else {
                set.add(history.outcome(++outcomes), offset++);
            }
            for (Optional<RenderedUpdate> next = set.next(Kind.REVISION);
                    next.isPresent();
                    next = set.next(Kind.REVISION)) {
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
    void shouldDeliverOnlyWholeSetsOfACompactedTopic(long seed) {
        Random random = new Random(seed);
        PublishedHistory history = PublishedHistory.random("ws", random, 12);
        compacted(allRecords(history), random).forEach(this::add);
        Copy copy = new Copy();
        for (int revision = 1; revision <= history.size(); revision++) {
            set.add(history.outcome(revision), offset++);
            Optional<RenderedUpdate> next = set.next(Kind.REVISION);
            if (next.isPresent()) {
                copy.take(next.get());
                assertThat(copy.held()).isEqualTo(history.set(revision));
            } else if (set.isWaiting()) {
                set.passOver();
            }
        }
        assertThat(copy.held()).isEqualTo(history.set(history.size()));
    }

    /* It begins anywhere, sees one topic before the other, and is killed at any moment; some outcomes are told again. */
    @ParameterizedTest
    @MethodSource("seeds")
    void shouldTellEachRevisionOnceToAFollowerThatGoesOnFromAnyPlace(long seed) {
        Random random = new Random(seed);
        PublishedHistory history = PublishedHistory.random("ws", random, 12);
        List<Published> records = allRecords(history);
        List<Integer> outcomes = new ArrayList<>();
        for (int revision = 1; revision <= history.size(); revision++) {
            outcomes.addAll(Collections.nCopies(1 + random.nextInt(2), revision));
        }
        RenderedSet follower = new RenderedSet();
        Copy copy = new Copy();
        Kind kind = Kind.SNAPSHOT;
        long last = 0;
        int record = 0;
        int outcome = 0;
        while (record < records.size() || outcome < outcomes.size()) {
            if (outcome == outcomes.size() || (record < records.size() && random.nextBoolean())) {
                Published next = records.get(record);
                follower.add(next.read(), next.value(), record++);
            } else {
                follower.add(history.outcome(outcomes.get(outcome)), outcome++);
            }
            if (kind == Kind.SNAPSHOT) {
                follower.passOverAllButLast();
            }
            for (Optional<RenderedUpdate> next = follower.next(kind); next.isPresent(); next = follower.next(kind)) {
                kind = Kind.REVISION;
                copy.take(next.get());
                assertThat(next.get().revision()).isGreaterThan(last);
                last = next.get().revision();
                assertThat(copy.held()).isEqualTo(history.set(last));
            }
            if (kind == Kind.REVISION && random.nextInt(8) == 0) {
                record = (int) follower.firstRecordLeft().orElse(record);
                outcome = (int) follower.firstOutcomeLeft().orElse(outcome);
                follower = new RenderedSet(follower.held());
            }
        }
        assertThat(copy.held()).isEqualTo(history.set(history.size()));
    }

    /* Some of the records of which a later one has the same key are not there any more. */
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

    private void add(List<Published> records) {
        records.forEach(this::add);
    }

    private void add(Published record) {
        set.add(record.read(), record.value(), offset++);
    }
}
