package dev.strake.topology.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.serdes.change.Carried;
import dev.strake.serdes.change.ChangeEnvelope;
import dev.strake.serdes.change.ChangeEnvelope.Part;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.change.Note;
import dev.strake.serdes.change.Terms;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.text.TextFormat;
import dev.strake.topology.TopologyHarness;
import dev.strake.topology.TopologySettings;
import dev.strake.topology.layout.ChangesLayout;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** How long repeated changes are recognized. */
class AppliedChangesTest {

    private static final String DOCUMENT = "{schema: deckhand/LayeringPolicy/v1, metadata: "
            + "{schema: metadata/Control/v1, name: policy}, data: {layerOrder: [global, site]}}";

    private final Intake intake = TopologySettings.of(1).intake();

    @AutoClose
    private final TopologyHarness strake = new TopologyHarness();

    private OutcomeStatus send(String id) {
        return strake.send("site-a", DOCUMENT, "ce_id", id).status();
    }

    private int known() {
        char kind = (char) ChangesLayout.appliedPrefix()[0];
        return (int) strake.dump().get(ChangesLayout.STORE).keySet().stream()
                .filter(key -> key.charAt(0) == kind)
                .count();
    }

    @Test
    void shouldRecognizeARepeatedChangeUntilItIsTooOld() {
        assertThat(send("once")).isEqualTo(OutcomeStatus.RENDERED);
        strake.advance(intake.forgetChangesAfter().minusMinutes(1));
        assertThat(send("once")).isEqualTo(OutcomeStatus.DUPLICATE);
        strake.advance(Duration.ofMinutes(2));
        assertThat(send("once")).as("applied again").isEqualTo(OutcomeStatus.UNCHANGED);
    }

    @Test
    void shouldForgetAllOldChangesInPauses() {
        for (int i = 0; i < 2_500; i++) {
            send("id-" + i);
        }
        strake.advance(intake.forgetChangesAfter());
        assertThat(known()).as("not quite too old").isEqualTo(2_500);
        for (int pause = 0; pause < 4; pause++) { // the first round may start at any entry
            strake.advance(Duration.ofSeconds(5));
        }
        assertThat(known()).isZero();
    }

    @Test
    void shouldForgetWhileChangesComeWithoutAPause() {
        AppliedChanges applied = applied("topic");
        long forget = intake.forgetChangesAfter().toMillis();
        int young = 2_000; // young enough to be remembered
        for (int i = 0; i < 5 * young; i++) {
            applied.remember(change(i), OutcomeStatus.UNCHANGED, 0, i * forget / young);
        }
        assertThat(known()).isBetween(young, 2 * young + 1_000);
        for (int i = 4 * young; i < 5 * young; i++) {
            assertThat(applied.wasApplied(change(i))).as("change %d", i).isTrue();
        }
    }

    @Test
    void shouldRecognizeAPositionOnlyInItsTopic() {
        AppliedChanges before = applied("one");
        AppliedChanges after = applied("two");
        before.remember(position("t-0-5", ""), OutcomeStatus.RENDERED, 1, 1);
        assertThat(before.wasApplied(position("t-0-5", ""))).isTrue();
        assertThat(after.wasApplied(position("t-0-5", ""))).isFalse();
        assertThat(after.wasApplied(position("t-0-5", "one")))
                .as("sent to its partition")
                .isTrue();
        before.remember(position("named", null), OutcomeStatus.RENDERED, 1, 1);
        assertThat(after.wasApplied(position("named", null)))
                .as("an author's id is one in all topics")
                .isTrue();
    }

    private AppliedChanges applied(String topicId) {
        return new AppliedChanges(strake.store(ChangesLayout.STORE), intake, topicId);
    }

    private static ChangeEnvelope position(String id, String topic) {
        ChangeType type = ChangeType.DOCUMENTS_PUT;
        return new ChangeEnvelope(
                "ws",
                new ChangeEnvelope.Id(id, topic),
                new ChangeEnvelope.Kind(type, type.text()),
                "b",
                new ChangeEnvelope.Body(Part.WHOLE, TextFormat.JSON),
                new ChangeEnvelope.Said(Carried.NOTHING, Terms.NONE, Note.NONE),
                new ChangeEnvelope.Arrival("t-0@5", 0));
    }

    private static ChangeEnvelope change(int number) {
        ChangeType type = ChangeType.DOCUMENTS_PUT;
        String id = Integer.toHexString(number * 0x9E3779B9); // ids in another order than their arrival
        return new ChangeEnvelope(
                "ws",
                new ChangeEnvelope.Id(id, null),
                new ChangeEnvelope.Kind(type, type.text()),
                "b",
                new ChangeEnvelope.Body(Part.WHOLE, TextFormat.JSON),
                new ChangeEnvelope.Said(Carried.NOTHING, Terms.NONE, Note.NONE),
                new ChangeEnvelope.Arrival("t", 0));
    }
}
