package dev.strake.topology.apply;

import static dev.strake.topology.TopologyHarness.POLICY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.serdes.change.Carried;
import dev.strake.serdes.change.ChangeEnvelope;
import dev.strake.serdes.change.ChangeEnvelope.Part;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.change.Note;
import dev.strake.serdes.change.Terms;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.text.TextFormat;
import dev.strake.topology.TopologyHarness;
import dev.strake.topology.layout.ChangesLayout;
import dev.strake.topology.layout.ChangesLayout.Arrived;
import dev.strake.topology.layout.ChangesLayout.Waiting;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Changes with missing parts: how much of them is kept, in which entries, and how they are given up. */
class IncompleteChangesTest {

    private static final Duration STEP = Duration.ofMillis(10);
    private static final int MEBIBYTE = 1 << 20;

    @AutoClose
    private TopologyHarness strake = new TopologyHarness();

    private void restart() {
        TopologyHarness before = strake;
        strake = before.restored();
        before.close();
    }

    private void restartWith(Map<String, byte[]> some, Map<String, byte[]> more) {
        var stores = strake.dump();
        stores.get(ChangesLayout.STORE).putAll(some);
        stores.get(ChangesLayout.STORE).putAll(more);
        TopologyHarness before = strake;
        strake = before.restoredFrom(stores);
        before.close();
    }

    private Outcome part(String workspace, String id, int number, int of, String body) {
        return strake.send(workspace, body, "ce_id", id, "part", number + "/" + of);
    }

    private Map<String, byte[]> stored() {
        return strake.dump().get(ChangesLayout.STORE);
    }

    private static String ofSize(int bytes) {
        return POLICY + " ".repeat(bytes - POLICY.length());
    }

    @Test
    void shouldKeepALargePartOverARestart() {
        String large = ofSize(15 * MEBIBYTE);
        assertThat(part("site-a", "x", 1, 2, large).status()).isEqualTo(OutcomeStatus.PENDING);
        assertThat(part("site-a", "x", 1, 2, large).warnings())
                .as("the same again")
                .hasSize(1);
        assertThat(part("site-a", "x", 1, 2, large + " ").status()).isEqualTo(OutcomeStatus.REJECTED);
        restart();

        Outcome outcome = part("site-a", "x", 2, 2, "");

        assertThat(outcome.status()).isEqualTo(OutcomeStatus.RENDERED);
        assertThat(stored()).as("its id").hasSize(1);
    }

    @Test
    void shouldRejectAPartThatIsTooLargeForAChangelog() {
        Outcome outcome = part("site-a", "x", 1, 2, ofSize(17 * MEBIBYTE));

        assertThat(outcome.status()).isEqualTo(OutcomeStatus.REJECTED);
        assertThat(outcome.problems().get(0).hint()).contains("smaller parts");
        assertThat(stored()).isEmpty();
    }

    @Test
    void shouldGiveUpWaitingChangesInSmallSteps() {
        int many = 20_000;
        Map<String, byte[]> entries = new TreeMap<>();
        byte[] body = POLICY.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < many; i++) {
            String workspace = "ws-" + i % 7;
            String id = Integer.toHexString(i * 0x9E3779B9); // ids in another order than the times
            entries.putAll(waiting(workspace, id, i, body));
            entries.put(key(workspace, id, 1), body);
        }
        restartWith(entries, Map.of());

        List<Outcome> all = new ArrayList<>();
        List<Outcome> step = strake.advance(Duration.ofMinutes(11));
        for (int steps = 0; !step.isEmpty() && steps < many; steps++) {
            assertThat(step).as("step %d", steps).hasSizeLessThanOrEqualTo(50);
            all.addAll(step);
            step = strake.advance(STEP);
        }

        assertThat(all)
                .hasSize(many)
                .allMatch(outcome -> outcome.status() == OutcomeStatus.REJECTED)
                .extracting(outcome -> Integer.parseUnsignedInt(outcome.change().id(), 16) * 340573321)
                .as("those that waited longest first")
                .isSorted();
        assertThat(stored()).isEmpty();
        assertThat(strake.advance(Duration.ofMinutes(1))).isEmpty();
    }

    @Test
    void shouldGiveUpFewLargeChangesAtOnce() {
        for (int change = 0; change < 3; change++) {
            for (int part = 1; part < 200; part++) {
                part("site-a", "id-" + change, part, 200, "");
            }
        }
        assertThat(strake.advance(Duration.ofMinutes(11))).hasSize(1);
        assertThat(strake.advance(STEP)).hasSize(1);
        assertThat(strake.advance(STEP)).hasSize(1);
        assertThat(stored()).isEmpty();
    }

    /* The stored entries of a change in two parts, whose first part arrived at the given millisecond. */
    private static Map<String, byte[]> waiting(String workspace, String id, int millis, byte[] body) {
        ChangeType type = ChangeType.BUCKET_PUT;
        ChangeEnvelope envelope = new ChangeEnvelope(
                workspace,
                new ChangeEnvelope.Id(id, null),
                new ChangeEnvelope.Kind(type, type.text()),
                "default",
                new ChangeEnvelope.Body(new Part(1, 2), TextFormat.DETECTED),
                new ChangeEnvelope.Said(Carried.NOTHING, Terms.NONE, Note.NONE),
                new ChangeEnvelope.Arrival("t-0@" + millis, 0));
        long since = Instant.parse("2026-01-31T12:00:00Z").toEpochMilli() - 20_000 + millis;
        Waiting waiting = new Waiting(envelope, since, body.length, List.of(new Arrived(1, 0, 0)));
        byte[] value = ChangesLayout.writeWaiting(waiting);
        Map<String, byte[]> entry = new TreeMap<>();
        entry.put(new String(ChangesLayout.waitingKey(workspace, id), StandardCharsets.ISO_8859_1), value);
        return entry;
    }

    private static String key(String workspace, String id, int part) {
        return new String(ChangesLayout.partKey(workspace, id, part), StandardCharsets.ISO_8859_1);
    }
}
