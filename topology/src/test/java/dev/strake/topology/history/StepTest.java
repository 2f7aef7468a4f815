package dev.strake.topology.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.topology.history.Pruning.Step;
import org.junit.jupiter.api.Test;

/** How much of a stream thread's time pruning may take. */
class StepTest {

    @Test
    void shouldTakeNoMoreForManyTasksOfAThreadThanForOne() {
        Step part = Step.SHORT.part(6);
        assertThat(6 * part.nanos()).isLessThanOrEqualTo(Step.SHORT.nanos());
        assertThat(6 * part.documents()).isLessThanOrEqualTo(Step.SHORT.documents());
        assertThat(Step.SHORT.part(1)).isEqualTo(Step.SHORT);
    }

    @Test
    void shouldGoOnHoweverManyTasksThereAre() {
        assertThat(new Step(1, 1_000).part(500).documents()).isEqualTo(1);
    }
}
