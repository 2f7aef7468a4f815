package dev.strake.server.events;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.serdes.change.Carried;
import dev.strake.serdes.change.Note;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.rendered.RenderedHeaders;
import dev.strake.serdes.rendered.RenderedKey;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class MergeTest {

    private final Merge merge = new Merge(3, true, 10, 100);

    @Test
    void shouldTellWhatAChangeRenderedBeforeItsOutcome() {
        outcome(10, "a", 1, 2);
        assertThat(taken()).isEmpty();
        rendered(100, "a", 1, "{\"x\": 1}", false);
        assertThat(taken()).containsExactly("rendered a");
        assertThat(merge.isBetweenChanges()).isFalse();
        rendered(101, "a", 1, null, false);
        assertThat(taken()).containsExactly("removed a", "outcome a 10 ->102");
        assertThat(merge.isBetweenChanges()).isTrue();
    }

    @Test
    void shouldKeepWhatTheNextChangeRenderedBehindTheOutcomeOfTheOneBefore() {
        rendered(100, "a", 1, "{}", false);
        rendered(101, "b", 7, "{}", false);
        outcome(10, "a", 1, 1);
        assertThat(taken()).containsExactly("rendered a", "outcome a 10 ->101");
        outcome(11, "c", 5, 0);
        outcome(12, "b", 7, 1);
        assertThat(taken()).containsExactly("outcome c 11 ->101", "rendered b", "outcome b 12 ->102");
    }

    @Test
    void shouldSayThatRecordsAreMissingOnceTheTopicWasReadBeyondThem() {
        outcome(10, "a", 1, 2);
        rendered(101, "a", 1, "{}", false);
        rendered(102, "b", 7, "{}", false);
        assertThat(taken()).containsExactly("rendered a");
        for (int i = 0; i < 2; i++) {
            assertThat(merge.isStuck()).isFalse();
            assertThat(taken()).isEmpty();
        }
        assertThat(merge.isStuck()).isTrue();
        merge.endsBefore(103);
        assertThat(taken()).isEmpty();
        merge.readTo(11, 103);
        assertThat(taken()).containsExactly("reset a", "outcome a 10 ->102");
        outcome(11, "b", 7, 1);
        assertThat(taken()).containsExactly("rendered b", "outcome b 11 ->103");
    }

    @Test
    void shouldTellHowLongAChangeTookUnlessItWasReadLongAfter() {
        byte[] json = json("a", 1, 0, OutcomeStatus.RENDERED, null); // made at the epoch
        merge.addOutcome(new ConsumerRecord<>("outcomes", 3, 10, null, json), 40);
        merge.addOutcome(new ConsumerRecord<>("outcomes", 3, 11, null, json), 500_000);

        List<Event> events = merge.take();
        assertThat(new String(events.get(0).json(), UTF_8)).endsWith(",\"latencyMillis\":40}");
        assertThat(events.get(1).json()).isEqualTo(json);
    }

    @Test
    void shouldHoldNoMoreThanItMay() {
        rendered(100, "a", 1, "{\"x\": \"" + "y".repeat(Merge.MOST_HELD) + "\"}", false);
        assertThat(merge.wantsRendered()).isFalse();
        outcome(10, "a", 1, 1);
        taken();
        assertThat(merge.wantsRendered()).isTrue();
    }

    @Test
    void shouldHaveNeitherDataNorHashOfASecretDocument() {
        rendered(100, "a", 1, "{\"x\": \"hidden\"}", true);
        outcome(10, "a", 1, 1);
        Event event = merge.take().get(0);
        assertThat(event.document()).isNull();
        assertThat(new String(event.json(), UTF_8)).contains("\"secret\":true").doesNotContain("contentHash");
    }

    @Test
    void shouldPassOverWhatIsNoRecordOfOurs() {
        merge.addOutcome(new ConsumerRecord<>("outcomes", 3, 10, null, "junk".getBytes(UTF_8)), 0);
        merge.addOutcome(new ConsumerRecord<>("outcomes", 3, 11, null, null), 0);
        merge.addRendered(new ConsumerRecord<>("rendered", 3, 100, "junk".getBytes(UTF_8), null));
        merge.addRendered(new ConsumerRecord<>("rendered", 3, 101, null, null));
        outcome(12, "a", 1, 0);
        assertThat(taken()).containsExactly("outcome a 12 ->100");
    }

    @Test
    void shouldWaitForNoDocumentsOfADryRun() {
        merge.addOutcome(
                new ConsumerRecord<>(
                        "outcomes",
                        3,
                        10,
                        "a".getBytes(UTF_8),
                        json("a", 1, 4, OutcomeStatus.PLANNED, OutcomeStatus.RENDERED)),
                0);
        assertThat(taken()).containsExactly("outcome a 10 ->100");
    }

    private List<String> taken() {
        return merge.take().stream()
                .map(event -> event.kind().text() + " " + event.workspace()
                        + (event.kind() == Event.Kind.OUTCOME ? " " + event.outcome() + " ->" + event.rendered() : ""))
                .toList();
    }

    private void outcome(long offset, String workspace, long revision, int emitted) {
        byte[] json = json(workspace, revision, emitted, OutcomeStatus.RENDERED, null);
        merge.addOutcome(
                new ConsumerRecord<>("outcomes", 3, offset, workspace.getBytes(UTF_8), json),
                System.currentTimeMillis());
    }

    private static byte[] json(
            String workspace, long revision, int emitted, OutcomeStatus status, OutcomeStatus wouldBe) {
        return OutcomeJson.write(new Outcome(
                workspace,
                new Outcome.Change(
                        "change-" + revision, "dev.strake.bucket.put", "b", "in-3@0", Carried.NOTHING, Note.NONE),
                status,
                wouldBe,
                revision,
                Outcome.Documents.NONE,
                new Outcome.Work(0, 0, emitted, 0),
                new Outcome.Published(revision, 1, null),
                List.of(),
                List.of(),
                Instant.EPOCH));
    }

    private void rendered(long offset, String workspace, long revision, String value, boolean secret) {
        RenderedKey key = new RenderedKey(workspace, new DocumentKey("example/Server/v1", "web" + offset));
        byte[] bytes = value == null ? null : value.getBytes(UTF_8);
        Headers headers = new RenderedHeaders(
                        revision, "site", "b", "change-" + revision, null, "now", null, null, secret)
                .write(key, bytes == null ? null : RenderedHeaders.contentHash(bytes));
        merge.addRendered(new ConsumerRecord<>(
                "rendered",
                3,
                offset,
                0L,
                TimestampType.CREATE_TIME,
                0,
                0,
                key.bytes(),
                bytes,
                headers,
                Optional.empty()));
    }
}
