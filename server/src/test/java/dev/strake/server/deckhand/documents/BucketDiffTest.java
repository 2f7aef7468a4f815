package dev.strake.server.deckhand.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.server.deckhand.documents.BucketDiff.State;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BucketDiffTest {

    @Test
    void shouldReportTheStateOfEachBucket() {
        assertThat(BucketDiff.of(Map.of("old", 1, "other", 2, "same", 3), Map.of("new", 1, "other", 1, "same", 3)))
                .isEqualTo(Map.of(
                        "new", State.CREATED, "old", State.DELETED, "other", State.MODIFIED, "same", State.UNMODIFIED));
    }

    @Test
    void shouldReportNothingForEmptyRevisions() {
        assertThat(BucketDiff.of(Map.of(), Map.of())).isEmpty();
    }
}
