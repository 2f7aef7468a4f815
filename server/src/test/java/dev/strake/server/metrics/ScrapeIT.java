package dev.strake.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.strake.server.broker.EmbeddedBroker;
import dev.strake.server.kafka.KafkaSettings;
import dev.strake.server.pipeline.Pipeline;
import dev.strake.server.pipeline.PipelineObserver;
import dev.strake.server.pipeline.PipelineSettings;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Metrics that are read again and again while stores are opened and closed: a figure of a freed one ends the process. */
@Order(1) // it takes long
class ScrapeIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    @TempDir
    Path directory;

    @Test
    void shouldReadNoStoreThatIsBeingClosed() throws Exception {
        AtomicBoolean stopped = new AtomicBoolean();
        try (EmbeddedBroker broker = EmbeddedBroker.start(directory.resolve("kafka"), 0);
                Metrics metrics = new Metrics()) {
            Pipeline one = start(broker, "one", metrics.observer());
            CompletableFuture<Integer> scrapes;
            try {
                metrics.watch(one.streams(), "strake.document-changes", directory);
                scrapes = CompletableFuture.supplyAsync(() -> scrape(metrics, stopped));
                await().atMost(TIMEOUT).until(() -> one.placement().active().size() == 4);
                for (int round = 0; round < 2; round++) {
                    try (Pipeline other = start(broker, "other", PipelineObserver.NONE)) {
                        await().atMost(TIMEOUT)
                                .until(() -> other.placement().active().size() == 2);
                    }
                    await().atMost(TIMEOUT).until(() -> one.placement().active().size() == 4);
                }
            } finally {
                one.close();
                stopped.set(true);
            }
            assertThat(scrapes.get()).isGreaterThan(20);
        }
    }

    private static int scrape(Metrics metrics, AtomicBoolean stopped) {
        int scrapes = 0;
        for (; !stopped.get(); scrapes++) {
            assertThat(metrics.registry().scrape()).contains("strake_staleness_seconds");
            assertThat(metrics.details().problems()).isZero();
        }
        return scrapes;
    }

    private Pipeline start(EmbeddedBroker broker, String instance, PipelineObserver observer) {
        return Pipeline.start(
                new PipelineSettings(
                        KafkaSettings.of(broker.bootstrapServers()),
                        Settings.defaults()
                                .with(Catalogue.APPLICATION_ID, "scraped")
                                .with(Catalogue.PARTITIONS, 4)
                                .with(Catalogue.REPLICATION_FACTOR, 1)
                                .with(Catalogue.THREADS, 1)
                                .with(Catalogue.DATA, directory.resolve(instance))),
                observer);
    }
}
