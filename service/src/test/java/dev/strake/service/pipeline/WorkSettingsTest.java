package dev.strake.service.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.strake.topology.TopologySettings;
import dev.strake.topology.TopologySettings.Retention;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WorkSettingsTest {

    @Test
    void shouldKeepTheLimitsOfTheContractWhereNothingIsSaid() {
        assertThat(WorkSettings.of(Map.of())).isEqualTo(TopologySettings.of(1));
    }

    @Test
    void shouldTakeWhatIsSaid() {
        TopologySettings settings = WorkSettings.of(Map.of(
                "strake.on-problem", "hold-document",
                "strake.limits.documents", "10",
                "strake.limits.rendered-bytes", "1000",
                "strake.limits.list-padding", "7",
                "strake.incomplete-after", "PT5S",
                "strake.history.revisions", "0",
                "strake.history.age", "P30D"));
        assertThat(settings.holdDocuments()).isTrue();
        assertThat(settings.limits().documents()).isEqualTo(10);
        assertThat(settings.renderLimits().bytes()).isEqualTo(1_000);
        assertThat(settings.renderLimits().padding()).isEqualTo(7);
        assertThat(settings.incompleteAfter()).isEqualTo(Duration.ofSeconds(5));
        assertThat(settings.retention()).isEqualTo(new Retention(0, Duration.ofDays(30)));
    }

    @Test
    void shouldRefuseNamesAndValuesItDoesNotKnow() {
        assertThatThrownBy(() -> WorkSettings.of(Map.of("strake.limits.document", "10")))
                .hasMessageContaining("strake.limits.document");
        assertThatThrownBy(() -> WorkSettings.of(Map.of("strake.limits.documents", "many")))
                .hasMessageContaining("strake.limits.documents");
        assertThatThrownBy(() -> WorkSettings.of(Map.of("strake.history.revisions", "-1")))
                .hasMessageContaining("strake.history.revisions");
        assertThatThrownBy(() -> WorkSettings.of(Map.of("strake.history.age", "30 days")))
                .hasMessageContaining("strake.history.age");
        assertThatThrownBy(() -> WorkSettings.of(Map.of("strake.on-problem", "shrug")))
                .hasMessageContaining("strake.on-problem");
    }
}
