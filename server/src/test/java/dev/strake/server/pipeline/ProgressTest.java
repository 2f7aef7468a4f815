package dev.strake.server.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.server.pipeline.Progress.Place;
import dev.strake.server.pipeline.Progress.Standstill;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ProgressTest {

    private static final Duration PAUSE = Duration.ofSeconds(5);

    private final Progress progress = new Progress();

    @Test
    void shouldCountFromTheSecondLookAtChangesThatWait() {
        look(10, 20);
        assertThat(seconds()).isZero();
        look(10, 20);
        look(10, 30);
        assertThat(seconds()).isEqualTo(10);
        assertThat(progress.longest().flatMap(Standstill::partition)).contains(3);
    }

    @Test
    void shouldCountNothingWhileOffsetsMoveOrNothingWaits() {
        look(10, 20);
        look(11, 25);
        look(12, 30);
        assertThat(seconds()).isZero();
        look(30, 30);
        look(30, 30);
        look(30, 31); // it has just come
        assertThat(seconds()).isZero();
        look(30, 31);
        assertThat(seconds()).isEqualTo(5);
        look(31, 31);
        assertThat(seconds()).isZero();
    }

    @Test
    void shouldNotTakeTheEndOfATransactionForAChange() {
        for (int i = 0; i < 3; i++) {
            progress.look(Map.of(3, new Place(10, 11)), Set.of(3), PAUSE);
        }
        assertThat(seconds()).isZero();
    }

    @Test
    void shouldForgetAPartitionThatAnotherInstanceHas() {
        look(10, 20);
        look(10, 20);
        progress.look(Map.of(), Set.of(), PAUSE);
        assertThat(seconds()).isZero();
        look(10, 20);
        assertThat(seconds()).isZero();
    }

    @Test
    void shouldSayThatKafkaDoesNotAnswer() {
        look(10, 10);
        progress.unanswered(PAUSE);
        progress.unanswered(PAUSE);
        assertThat(progress.longest().map(standstill -> standstill.words("changes")))
                .contains("Kafka has not answered for 10 s");
        look(10, 10);
        assertThat(progress.longest()).isEmpty();
    }

    @Test
    void shouldSayWhatStandsStillAndWhere() {
        look(10, 20);
        look(10, 20);
        assertThat(progress.longest().map(standstill -> standstill.words("strake.document-changes")))
                .isEqualTo(Optional.of("changes wait in partition 3 of strake.document-changes (at offset 10 of 20),"
                        + " and none was processed for 5 s"));
    }

    private void look(long committed, long end) {
        progress.look(Map.of(3, new Place(committed, end)), Set.of(), PAUSE);
    }

    private long seconds() {
        return progress.longest().map(Standstill::time).orElse(Duration.ZERO).toSeconds();
    }
}
