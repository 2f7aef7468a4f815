package dev.strake.topology;

import static dev.strake.topology.TopologyHarness.WORKSPACE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.store.ChangesLayout;
import dev.strake.serdes.store.RevisionsLayout;
import dev.strake.serdes.store.RevisionsLayout.Revision;
import dev.strake.serdes.store.RevisionsLayout.Revision.Ids;
import dev.strake.serdes.store.TagData;
import dev.strake.topology.apply.Intake;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Entries of the store of applied changes get lost: a broker cuts off the end of its changelog, and that of no other store. Whoever
 * takes over still applies no change twice.
 */
class LostChangesTest {

    private static final String POLICY = """
            {schema: deckhand/LayeringPolicy/v1, metadata: {schema: metadata/Control/v1, name: policy},
             data: {layerOrder: [site]}}
            """;

    /** The id that a position has whose record was sent home. */
    private static final String AFAR = "strake.document-changes-3-7";

    private final List<TopologyHarness> all = new ArrayList<>();
    private TopologyHarness strake = running(new TopologyHarness());

    private TopologyHarness running(TopologyHarness harness) {
        all.add(harness);
        return harness;
    }

    @AfterEach
    void close() {
        all.forEach(TopologyHarness::close);
    }

    @Test
    void shouldAnswerDuplicateWhereASingleEntryIsLost() {
        putThree();
        takeOver(without("two"));
        for (String id : List.of("two", "one", "three", "two")) {
            assertThat(put(id, 9).status()).as(id).isEqualTo(OutcomeStatus.DUPLICATE);
        }
        assertThat(head()).isEqualTo(3);
        assertThat(put("four", 9).revision()).isEqualTo(4);
    }

    @Test
    void shouldNotRollBackTwiceWhereTheEndOfTheChangelogIsLost() {
        putThree();
        assertThat(rollback("back").revision()).isEqualTo(4);
        put("five", 5);
        takeOver(without("back", "five"));
        assertThat(rollback("back").status()).isEqualTo(OutcomeStatus.DUPLICATE);
        assertThat(put("five", 5).status()).isEqualTo(OutcomeStatus.DUPLICATE);
        assertThat(head()).isEqualTo(5);
    }

    @Test
    void shouldRememberAgainWhatWasLost() {
        putThree();
        tag("tagged", "v1", "one");
        Map<String, byte[]> before = strake.dump().get(ChangesLayout.STORE);
        takeOver(without("two", "three", "tagged"));
        put("two", 2);
        TopologyHarness.assertSameState(strake.dump(), Map.of(ChangesLayout.STORE, before));
    }

    @Test
    void shouldNotOverwriteATagAgain() {
        putThree();
        tag("first", "v1", "one");
        tag("second", "v1", "two");
        untag("third", "v2");
        tag("fourth", "v2", "four");
        untag("fifth", "v2");
        takeOver(without("first", "second", "third", "fourth", "fifth"));
        assertThat(tag("first", "v1", "one").status()).isEqualTo(OutcomeStatus.DUPLICATE);
        assertThat(tag("fourth", "v2", "four").status()).isEqualTo(OutcomeStatus.DUPLICATE);
        assertThat(untag("fifth", "v2").status()).isEqualTo(OutcomeStatus.DUPLICATE);
        assertThat(strake.queries().revision(WORKSPACE, 2).orElseThrow().tags())
                .isEqualTo(Map.of("v1", TagData.of(MapValue.of("is", new Text("two")))));
    }

    @Test
    void shouldKnowARecordAgainThatIsReadAgain() {
        String documents = POLICY + "---\n" + document(1);
        assertThat(strake.send(WORKSPACE, documents).status()).isEqualTo(OutcomeStatus.RENDERED);
        put("next", 2);
        takeOver(stores -> stores.get(ChangesLayout.STORE).clear());
        assertThat(strake.send(WORKSPACE, documents).status())
                .as("the record at offset 0")
                .isEqualTo(OutcomeStatus.DUPLICATE);
        assertThat(head()).isEqualTo(2);
    }

    @Test
    void shouldKnowARecordAgainThatIsSentHomeAgain() {
        assertThat(sentHome("unknown").status()).isEqualTo(OutcomeStatus.RENDERED);
        put("next", 2);
        takeOver(stores -> stores.get(ChangesLayout.STORE).clear());
        assertThat(sentHome("another").status())
                .as("at the same place of another topic")
                .isEqualTo(OutcomeStatus.RENDERED);
        assertThat(sentHome("unknown").status()).isEqualTo(OutcomeStatus.DUPLICATE);
    }

    @Test
    void shouldNotTakeARecordOfANewTopicForOneThatWasLost() {
        strake.send(WORKSPACE, POLICY + "---\n" + document(1));
        Map<String, Map<String, byte[]>> stores = strake.dump();
        stores.get(ChangesLayout.STORE).clear();
        strake = running(strake.restoredFrom(stores, TopologySettings.of(1).reading("new topic")));
        assertThat(strake.send(WORKSPACE, POLICY + "---\n" + document(2)).status())
                .as("the new topic's record at offset 0")
                .isEqualTo(OutcomeStatus.RENDERED);
    }

    @Test
    void shouldNotTakeAPositionThatAnEarlierBuildAppliedForOneInThisTopic() {
        strake.send(WORKSPACE, POLICY + "---\n" + document(1));
        putThree();
        takeOver(stores -> {
            stores.get(ChangesLayout.STORE).clear();
            stores.get(RevisionsLayout.STORE).replaceAll(LostChangesTest::ofEarlierBuild);
        });
        assertThat(strake.send(WORKSPACE, POLICY + "---\n" + document(7)).status())
                .as("of a topic that may be another one")
                .isEqualTo(OutcomeStatus.RENDERED);
        assertThat(put("two", 2).status()).as("an id of an author").isEqualTo(OutcomeStatus.DUPLICATE);
    }

    @Test
    void shouldAnswerDuplicateToAllPartsOfAChangeThatCameInSeveral() {
        part("1/2", POLICY);
        Map<String, byte[]> waiting = strake.dump().get(ChangesLayout.STORE);
        assertThat(part("2/2", document(1)).revision()).isEqualTo(1);
        put("next", 2);
        takeOver(stores -> stores.put(ChangesLayout.STORE, waiting)); // as before the last part came
        assertThat(part("2/2", document(1)).status()).isEqualTo(OutcomeStatus.DUPLICATE);
        assertThat(head()).isEqualTo(2);
    }

    @Test
    void shouldNotGiveUpAChangeThatWasAppliedThoughItsPartsAreBack() {
        part("1/2", POLICY);
        Map<String, byte[]> waiting = strake.dump().get(ChangesLayout.STORE);
        part("2/2", document(1));
        takeOver(stores -> stores.put(ChangesLayout.STORE, waiting));
        assertThat(strake.advance(intake().incompleteAfter().plusSeconds(5))).isEmpty();
        assertThat(strake.dump().get(ChangesLayout.STORE)).hasSize(1);
    }

    @Test
    void shouldNotDeleteAWorkspaceAgainThatIsInUseAgain() {
        putThree();
        assertThat(delete("gone").revision()).isEqualTo(4);
        put("new", 7);
        takeOver(without("gone", "new"));
        assertThat(delete("gone").status()).isEqualTo(OutcomeStatus.DUPLICATE);
        assertThat(head()).isEqualTo(5);
    }

    @Test
    void shouldForgetWhatIsOldAlsoIfItWasLost() {
        putThree();
        takeOver(without("one", "two", "three"));
        strake.advance(intake().forgetChangesAfter().plusMinutes(1));
        assertThat(put("two", 2).revision()).as("applied again").isEqualTo(4);
    }

    @Test
    void shouldNotTakeForLostWhatWasForgottenBeforeIdsWereRememberedForLonger() {
        TopologySettings settings = TopologySettings.of(1);
        strake = running(new TopologyHarness(settings.accepting(forgettingAfter(Duration.ofDays(1)))));
        putThree();
        Duration untilForgotten = Duration.ofDays(1).plusMinutes(1);
        strake.advance(untilForgotten);
        put("young", 4);
        Map<String, Map<String, byte[]>> stores = strake.dump();
        stores.get(ChangesLayout.STORE).keySet().removeIf(key -> key.endsWith("young"));
        strake = running(strake.restoredFrom(stores, settings.accepting(forgettingAfter(Duration.ofDays(7)))));
        strake.advance(untilForgotten);
        assertThat(put("young", 4).status()).isEqualTo(OutcomeStatus.DUPLICATE);
        assertThat(put("two", 2).revision()).as("applied again").isEqualTo(5);
    }

    @Test
    void shouldPreferTheNewerOfTwoChangesWithAnIdThatWasForgotten() {
        putThree();
        byte[] first = strake.dump().get(ChangesLayout.STORE).get(key("two"));
        Duration untilForgotten = intake().forgetChangesAfter().plusMinutes(1);
        strake.advance(untilForgotten);
        assertThat(put("two", 4).revision()).isEqualTo(4);
        takeOver(stores -> stores.get(ChangesLayout.STORE).put(key("two"), first)); // that it was forgotten is lost
        assertThat(put("two", 5).status()).isEqualTo(OutcomeStatus.DUPLICATE);
        assertThat(strake.queries().applied(WORKSPACE, "two").orElseThrow().revision())
                .isEqualTo(4);
    }

    private interface Fault {
        void strike(Map<String, Map<String, byte[]>> stores);
    }

    private void takeOver(Fault fault) {
        Map<String, Map<String, byte[]>> stores = strake.dump();
        fault.strike(stores);
        strake = running(strake.restoredFrom(stores));
    }

    private static Fault without(String... ids) {
        return stores -> {
            for (String id : ids) {
                stores.get(ChangesLayout.STORE).remove(key(id));
            }
        };
    }

    private static String key(String id) {
        return new String(ChangesLayout.appliedKey(WORKSPACE, id), StandardCharsets.ISO_8859_1);
    }

    private static byte[] ofEarlierBuild(String name, byte[] value) {
        byte[] key = name.getBytes(StandardCharsets.ISO_8859_1);
        if (!RevisionsLayout.isRevision(key)) {
            return value;
        }
        Revision now = RevisionsLayout.read(key, value);
        return RevisionsLayout.write(new Revision(
                now.time(),
                now.change(),
                now.status(),
                now.documents(),
                now.work(),
                now.published(),
                now.tags(),
                now.touched(),
                now.limits(),
                now.note(),
                now.form(),
                Ids.NONE));
    }

    private static Intake intake() {
        return TopologySettings.of(1).intake();
    }

    private static Intake forgettingAfter(Duration time) {
        Intake intake = intake();
        return new Intake(
                intake.limits(),
                intake.incompleteAfter(),
                time,
                intake.ofWorkspace(),
                intake.ofPartition(),
                intake.tags(),
                intake.removals());
    }

    private long head() {
        return strake.queries().head(WORKSPACE);
    }

    private void putThree() {
        put("one", 1);
        put("two", 2);
        put("three", 3);
    }

    private Outcome put(String id, int value) {
        return strake.send(WORKSPACE, POLICY + "---\n" + document(value), "ce_id", id);
    }

    private Outcome part(String part, String value) {
        return strake.send(WORKSPACE, value, "ce_id", "in parts", "part", part);
    }

    private Outcome sentHome(String topic) {
        String documents = POLICY + "---\n" + document(topic.length());
        return strake.send(WORKSPACE, documents, "ce_id", AFAR, HeaderNames.ID_TOPIC, topic);
    }

    private Outcome rollback(String id) {
        return strake.send(WORKSPACE, "{revision: 1}", "ce_type", ChangeType.ROLLBACK.text(), "ce_id", id);
    }

    private Outcome delete(String id) {
        return strake.send(WORKSPACE, null, "ce_type", ChangeType.WORKSPACE_DELETE.text(), "ce_id", id);
    }

    private Outcome tag(String id, String tag, String value) {
        String body = "{tag: %s, revision: 2, data: {is: %s}}".formatted(tag, value);
        return strake.send(WORKSPACE, body, "ce_type", "dev.strake.revision.tag", "ce_id", id);
    }

    private Outcome untag(String id, String tag) {
        String body = "{tag: %s, revision: 2}".formatted(tag);
        return strake.send(WORKSPACE, body, "ce_type", "dev.strake.revision.untag", "ce_id", id);
    }

    private static String document(int value) {
        return """
                {schema: example/Thing/v1, data: {value: %d},
                 metadata: {schema: metadata/Document/v1, name: a, storagePolicy: cleartext, layeringDefinition: {layer: site}}}
                """.formatted(value);
    }
}
