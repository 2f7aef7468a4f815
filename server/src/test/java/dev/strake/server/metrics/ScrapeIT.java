package dev.strake.server.metrics;

import static dev.strake.server.Installation.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.strake.server.Installation;
import dev.strake.server.pipeline.Pipeline;
import dev.strake.server.pipeline.PipelineObserver;
import dev.strake.server.pipeline.PipelineSettings;
import dev.strake.server.settings.Catalogue;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Repeated scrapes while stores are opened and closed: to read a metric of a freed store would crash the process. */
@Order(1) // slow: starts first
class ScrapeIT {

    @TempDir
    Path directory;

    @Test
    void shouldNotReadAClosingStore() throws Exception {
        AtomicBoolean stopped = new AtomicBoolean();
        try (Installation strake = new Installation("scraped", directory, 4);
                Metrics metrics = new Metrics(Duration.ofSeconds(1))) {
            Pipeline one = start(strake, "one", metrics.observer());
            CompletableFuture<Integer> scrapes;
            try {
                metrics.watch(one.streams(), strake.topic("document-changes"), directory);
                scrapes = CompletableFuture.supplyAsync(() -> scrape(metrics, stopped));
                await().atMost(TIMEOUT).until(() -> one.placement().active().size() == 4);
                for (int round = 0; round < 2; round++) {
                    try (Pipeline other = start(strake, "other", PipelineObserver.NONE)) {
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

    private Pipeline start(Installation strake, String instance, PipelineObserver observer) {
        strake.with(Catalogue.DATA, directory.resolve(instance));
        return Pipeline.start(new PipelineSettings(Installation.kafka(), strake.settings()), observer);
    }
}
