package dev.strake.server.deckhand;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class DiffRoutesTest {

    @Test
    void shouldReportTheStateOfEachBucket() {
        assertThat(DiffRoutes.states(Map.of("old", 1, "other", 2, "same", 3), Map.of("new", 1, "other", 1, "same", 3)))
                .isEqualTo(Map.of("new", "created", "old", "deleted", "other", "modified", "same", "unmodified"));
    }

    @Test
    void shouldReportNothingForEmptyRevisions() {
        assertThat(DiffRoutes.states(Map.of(), Map.of())).isEmpty();
    }
}
