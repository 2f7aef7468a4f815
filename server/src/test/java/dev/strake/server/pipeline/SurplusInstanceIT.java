package dev.strake.server.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.strake.server.broker.EmbeddedBroker;
import dev.strake.server.kafka.KafkaSettings;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** More instances than partitions: one has no task, and is there for when the other is not. */
class SurplusInstanceIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    @TempDir
    Path directory;

    @Test
    void shouldBeReadyWithoutTasksAndTakeOver() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.start(directory.resolve("kafka"), 0)) {
            Pipeline one = Pipeline.start(settings(broker, "one"), PipelineObserver.NONE);
            one.awaitReady(TIMEOUT);
            try (Pipeline other = Pipeline.start(settings(broker, "other"), PipelineObserver.NONE)) {
                try {
                    other.awaitReady(TIMEOUT);
                    one.awaitReady(TIMEOUT);
                    // The group may hand the task over once more while it settles.
                    await().atMost(TIMEOUT)
                            .untilAsserted(() -> assertThat(Stream.of(one, other)
                                            .filter(each -> each.placement().holds("site-a")))
                                    .hasSize(1));
                } finally {
                    one.close();
                }
                await().atMost(TIMEOUT).until(() -> other.placement().holds("site-a"));
                other.awaitReady(TIMEOUT);
            }
        }
    }

    private PipelineSettings settings(EmbeddedBroker broker, String instance) {
        return new PipelineSettings(
                KafkaSettings.of(broker.bootstrapServers()),
                Settings.defaults()
                        .with(Catalogue.APPLICATION_ID, "surplus")
                        .with(Catalogue.PARTITIONS, 1)
                        .with(Catalogue.REPLICATION_FACTOR, 1)
                        .with(Catalogue.THREADS, 1)
                        .with(Catalogue.DATA, directory.resolve(instance)));
    }
}
