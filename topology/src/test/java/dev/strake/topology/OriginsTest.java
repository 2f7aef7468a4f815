package dev.strake.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.change.OriginsHeader;
import dev.strake.serdes.change.RemovalLimit;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.text.Limits;
import dev.strake.topology.RandomPublisher.Sent;
import dev.strake.topology.Whole.Created;
import dev.strake.topology.apply.Intake;
import dev.strake.topology.history.Retention;
import dev.strake.topology.layout.DocumentsLayout.Entry;
import dev.strake.topology.store.StoredRevision.Read;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * The origin of a document, and when and in which place of a change it came, are kept with the document and never cause
 * a revision.
 */
class OriginsTest {

    private static final long SEED = Long.getLong("strake.seed", System.nanoTime());
    private static final int STEPS = 120;
    private static final String WS = TopologyHarness.WORKSPACE;

    @AutoClose
    private TopologyHarness strake = new TopologyHarness();

    /** A document with its origin and its creation. */
    private record Held(String bucket, MapValue tree, String origin, Created created) {

        boolean hasContentOf(Held other) {
            return other != null && bucket.equals(other.bucket) && tree.equals(other.tree);
        }
    }

    private static Map<DocumentId, Held> held(TopologyHarness strake, String workspace, long revision) {
        Map<DocumentId, Held> held = new HashMap<>();
        try (Stream<Read<Entry>> all = strake.queries().at(workspace, revision).documents(null)) {
            all.forEach(read -> held.put(
                    read.id(),
                    new Held(
                            read.entry().bucket(),
                            read.entry().document().tree(),
                            read.entry().document().origin().orElse(null),
                            new Created(read.entry().since(), read.entry().place()))));
        }
        return held;
    }

    private String origin(String name) {
        return held(strake, WS, strake.queries().history().lastRevision(WS)).entrySet().stream()
                .filter(each -> each.getKey().name().equals(name))
                .findFirst()
                .orElseThrow()
                .getValue()
                .origin();
    }

    private static String document(String name, int value) {
        return """
                {"schema": "example/Thing/v1", "metadata": {"schema": "metadata/Document/v1", "name": "%s",
                 "storagePolicy": "cleartext", "layeringDefinition": {"layer": "site"}}, "data": {"v": %d}}""".formatted(name, value);
    }

    private Outcome put(String documents, String origins, String... headers) {
        String[] all = Stream.concat(
                        Stream.of("ce_type", "dev.strake.documents.put"),
                        Stream.concat(
                                origins == null ? Stream.of() : Stream.of("origins", origins), Stream.of(headers)))
                .toArray(String[]::new);
        return strake.send(WS, documents, all);
    }

    @Test
    void shouldKeepOriginsOfPartsThatWait() {
        put(document("a", 1), "[\"a.yaml:1\"]", "ce_id", "x", "part", "1/3");
        put("", null, "ce_id", "x", "part", "3/3");
        TopologyHarness before = strake;
        strake = before.restored();
        before.close();
        assertThat(put(document("a", 1), "[\"b.yaml:1\"]", "ce_id", "x", "part", "1/3")
                        .problems())
                .singleElement()
                .satisfies(
                        problem -> assertThat(problem.message()).contains("was received before, with other content"));

        put("[" + document("b", 1) + "]", "[\"b.yaml:7\"]", "ce_id", "x", "part", "2/3");

        assertThat(origin("a")).isEqualTo("a.yaml:1");
        assertThat(origin("b")).isEqualTo("b.yaml:7");
    }

    @Test
    void shouldRejectAPartWithInvalidOriginsAndWaitForAValidOne() {
        put(document("a", 1), "[\"a.yaml:1\"]", "ce_id", "x", "part", "1/2");

        assertThat(put(document("b", 1), "b.yaml", "ce_id", "x", "part", "2/2").status())
                .isEqualTo(OutcomeStatus.REJECTED);
        put(document("b", 1), "[\"b.yaml:1\"]", "ce_id", "x", "part", "2/2");

        assertThat(origin("b")).isEqualTo("b.yaml:1");
    }

    @Test
    void shouldCountOriginsOfPartsAsBytesOfTheChange() {
        String many = "[\"" + "x".repeat(OriginsHeader.LONGEST) + "\"]";
        strake.close();
        Limits small = new Limits(
                new Limits.OfChange(1_500, 6_000_000, 10, 10), new Limits.OfDocument(1_000, 64, 1_000, 1_000_000));
        strake = new TopologyHarness(TopologySettings.of(1)
                .accepting(new Intake(
                        small, Duration.ofMinutes(10), Duration.ofDays(7), new Intake.Tags(1, 1), RemovalLimit.NONE)));

        put(document("a", 1), many, "ce_id", "x", "part", "1/2");
        Outcome outcome = put(document("b", 1), many, "ce_id", "x", "part", "2/2");

        assertThat(outcome.status()).isEqualTo(OutcomeStatus.REJECTED);
        assertThat(outcome.problems().get(0).message()).contains("more than 1500 bytes in all parts");
    }

    /*
     * The model: a document has the origin and the place from the record that last changed it. A rollback restores
     * both.
     */
    @Test
    void shouldKeepOriginAndPlaceOfEachDocumentOfEachRevision() {
        strake.close();
        strake = new TopologyHarness(TopologySettings.of(1).retaining(new Retention(12, Duration.ofDays(7))));
        RandomPublisher publisher = new RandomPublisher(new SplittableRandom(SEED), WS);
        Map<Long, Map<DocumentId, Held>> history = new TreeMap<>(Map.of(0L, Map.of()));
        Outcome last = null;
        try {
            for (int step = 0; step < STEPS; step++) {
                Sent sent = publisher.next(strake, last);
                Outcome outcome = sent.to(strake, WS);
                long head = strake.queries().history().lastRevision(WS);
                if (!history.containsKey(head)) {
                    last = outcome;
                    history.put(head, expected(sent, history.get(head - 1), history, head));
                }
                strake.advance(Duration.ofSeconds(6));
                if (step % 20 == 19) {
                    TopologyHarness before = strake;
                    strake = before.restoredFrom(before.dump());
                    before.close();
                }
                history.forEach((revision, documents) -> {
                    if (revision > 0 && strake.queries().history().isKept(WS, revision)) {
                        assertThat(held(strake, WS, revision))
                                .as("revision " + revision)
                                .isEqualTo(documents);
                    }
                });
            }
            assertThat(history.values().stream().flatMap(each -> each.values().stream()))
                    .anyMatch(each -> each.origin() != null)
                    .anyMatch(each -> each.origin() == null);
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError("-Dstrake.seed=" + SEED, e);
        }
    }

    private Map<DocumentId, Held> expected(
            Sent sent, Map<DocumentId, Held> before, Map<Long, Map<DocumentId, Held>> history, long head) {
        Map<DocumentId, Held> expected = new HashMap<>();
        held(strake, WS, head).forEach((id, now) -> {
            Held then = before.get(id);
            expected.put(id, now.hasContentOf(then) ? then : brought(id, now, sent, history, head));
        });
        return expected;
    }

    private static Held brought(
            DocumentId id, Held now, Sent sent, Map<Long, Map<DocumentId, Held>> history, long head) {
        Held restored =
                sent.rollback() == null ? null : history.get(sent.rollback()).get(id);
        String origin = restored == null ? sent.origins().get(id) : restored.origin();
        int place =
                restored == null ? sent.places().get(id) : restored.created().place();
        return new Held(now.bucket(), now.tree(), origin, new Created(head, place));
    }
}
