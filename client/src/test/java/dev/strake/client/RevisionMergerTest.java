package dev.strake.client;

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
import dev.strake.serdes.rendered.SecretHeaders;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class RevisionMergerTest {

    private RevisionMerger revisions = RevisionMerger.ofAll(3, true, 10, 100);

    @Test
    void shouldDeliverRecordsRenderedBeforeTheOutcome() {
        outcome(10, "a", 1, 2);
        assertThat(taken()).isEmpty();
        rendered(100, "a", 1, "{\"x\": 1}");
        assertThat(taken()).containsExactly("rendered a");
        assertThat(revisions.isBetweenChanges()).isFalse();
        rendered(101, "a", 1, null);
        assertThat(taken()).containsExactly("removed a", "outcome a 10 ->102");
        assertThat(revisions.isBetweenChanges()).isTrue();
    }

    @Test
    void shouldKeepRecordsOfTheNextChangeForItsRevision() {
        rendered(100, "a", 1, "{}");
        rendered(101, "b", 7, "{}");
        outcome(10, "a", 1, 1);
        assertThat(taken()).containsExactly("rendered a", "outcome a 10 ->101");
        outcome(11, "c", 5, 0);
        outcome(12, "b", 7, 1);
        assertThat(taken()).containsExactly("outcome c 11 ->101", "rendered b", "outcome b 12 ->102");
    }

    @Test
    void shouldReportMissingRecordsOnceTheTopicIsReadBeyondThem() {
        outcome(10, "a", 1, 2);
        rendered(101, "a", 1, "{}");
        rendered(102, "b", 7, "{}");
        assertThat(taken()).containsExactly("rendered a");
        for (int i = 0; i < 2; i++) {
            assertThat(revisions.isStuck()).isFalse();
            assertThat(taken()).isEmpty();
        }
        assertThat(revisions.isStuck()).isTrue();
        revisions.endsBefore(103);
        assertThat(taken()).isEmpty();
        revisions.readTo(11, 103);
        assertThat(taken()).containsExactly("incomplete outcome a 10 ->102");
        outcome(11, "b", 7, 1);
        assertThat(taken()).containsExactly("rendered b", "outcome b 11 ->103");
    }

    @Test
    void shouldHoldNoMoreThanTheLimit() {
        rendered(100, "a", 1, "{\"x\": \"" + "y".repeat((int) RevisionMerger.MOST_HELD) + "\"}");
        assertThat(revisions.wantsRendered()).isFalse();
        outcome(10, "a", 1, 1);
        taken();
        assertThat(revisions.wantsRendered()).isTrue();
    }

    @Test
    void shouldSkipForeignRecords() {
        revisions.addOutcome(new ConsumerRecord<>("outcomes", 3, 10, null, "junk".getBytes(UTF_8)));
        revisions.addOutcome(new ConsumerRecord<>("outcomes", 3, 11, null, null));
        revisions.addRendered(new ConsumerRecord<>("rendered", 3, 100, "junk".getBytes(UTF_8), null));
        revisions.addRendered(new ConsumerRecord<>("rendered", 3, 101, null, null));
        outcome(12, "a", 1, 0);
        assertThat(taken()).containsExactly("outcome a 12 ->100");
    }

    @Test
    void shouldNotWaitForDocumentsOfADryRun() {
        byte[] json = json("a", 1, 4, OutcomeStatus.PLANNED, OutcomeStatus.RENDERED);
        revisions.addOutcome(new ConsumerRecord<>("outcomes", 3, 10, "a".getBytes(UTF_8), json));
        assertThat(taken()).containsExactly("outcome a 10 ->100");
    }

    @Test
    void shouldDeliverOneLargeWorkspace() {
        revisions = RevisionMerger.of("a", 3, 10, 100);
        rendered(100, "b", 7, "{}");
        rendered(101, "a", 1, "{\"x\": \"" + "y".repeat((int) RevisionMerger.MOST_HELD) + "\"}");
        assertThat(revisions.wantsRendered()).isTrue();
        rendered(102, "a", 1, "{}");
        outcome(10, "b", 7, 1);
        outcome(11, "a", 1, 2);
        assertThat(taken()).containsExactly("rendered a", "rendered a", "outcome a 11 ->103");
        assertThat(revisions.isEmpty()).isTrue();
    }

    private List<String> taken() {
        return revisions.take().stream().map(RevisionMergerTest::text).toList();
    }

    private static String text(RevisionPart part) {
        if (part instanceof RevisionPart.End end) {
            String outcome = "outcome %s %d ->%d"
                    .formatted(end.outcome().workspace(), end.message().offset(), end.rendered());
            return end.isWhole() ? outcome : "incomplete " + outcome;
        }
        String workspace = ((RevisionPart.Document) part).key().workspace();
        return (part.message().value() == null ? "removed " : "rendered ") + workspace;
    }

    private void outcome(long offset, String workspace, long revision, int emitted) {
        byte[] json = json(workspace, revision, emitted, OutcomeStatus.RENDERED, null);
        revisions.addOutcome(new ConsumerRecord<>("outcomes", 3, offset, workspace.getBytes(UTF_8), json));
    }

    private static byte[] json(
            String workspace, long revision, int emitted, OutcomeStatus status, OutcomeStatus wouldBe) {
        return OutcomeJson.write(new Outcome(
                workspace,
                new Outcome.Change(
                        "change-" + revision, "dev.strake.bucket.put", "b", "in-3@0", Carried.NOTHING, Note.NONE),
                status,
                new Outcome.Result(
                        revision,
                        Outcome.Documents.NONE,
                        new Outcome.Work(0, 0, emitted, 0),
                        new Outcome.Published(revision, 1, null)),
                new Outcome.Findings(List.of(), List.of()),
                Instant.EPOCH,
                wouldBe == null ? null : new Outcome.Planned(wouldBe, null)));
    }

    private void rendered(long offset, String workspace, long revision, String value) {
        RenderedKey key = new RenderedKey(workspace, new DocumentKey("example/Server/v1", "web" + offset));
        byte[] bytes = value == null ? null : value.getBytes(UTF_8);
        Headers headers = new RenderedHeaders(
                        revision,
                        "site",
                        "b",
                        null,
                        new RenderedHeaders.Cause("change-" + revision, null, "now", null, null),
                        SecretHeaders.NONE)
                .write(key, bytes == null ? null : RenderedHeaders.contentHash(bytes));
        revisions.addRendered(new ConsumerRecord<>(
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
