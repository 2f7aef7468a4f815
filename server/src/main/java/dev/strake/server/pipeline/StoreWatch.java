package dev.strake.server.pipeline;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks from time to time whether RocksDB failed at what it does in the background, writing out what a store holds in
 * memory above all. Mostly the next change runs into such an error, and ends the pipeline. But when a disk is full
 * RocksDB tries again until there is room, and a writer that already waited for it ({@code DBImpl::DelayWrite}) waits
 * on, without a word, for as long as that takes.
 *
 * <p>The listener that RocksDB has for this cannot be used: its Java side does not know the reason that a failed flush
 * without a write-ahead log has, and throws before anybody hears of the error.
 */
final class StoreWatch {

    private static final Logger LOG = LoggerFactory.getLogger(StoreWatch.class);
    private static final String BACKGROUND_ERRORS = "background-errors";

    private final Supplier<Collection<? extends Metric>> metrics;
    private final Path stateDirectory;

    /**
     * @param metrics of Kafka Streams, as they are when they are asked for
     */
    StoreWatch(Supplier<Collection<? extends Metric>> metrics, Path stateDirectory) {
        this.metrics = metrics;
        this.stateDirectory = stateDirectory;
    }

    /** Watches until the pipeline has ended, in a thread of its own that keeps no process alive. */
    void until(CompletableFuture<Void> end, Duration pause) {
        Thread thread = new Thread(() -> watch(end, pause), "strake-store-watch");
        thread.setDaemon(true);
        thread.start();
    }

    private void watch(CompletableFuture<Void> end, Duration pause) {
        String failure = "";
        while (!isDoneWithin(pause, end)) {
            try {
                check();
            } catch (PipelineFailedException e) {
                end.completeExceptionally(e);
            } catch (RuntimeException e) { // told once; the next look may succeed, and somebody has to look on
                String name = e.getClass().getName();
                if (!name.equals(failure)) {
                    LOG.warn("Stores cannot be asked for errors: {}. The next look may succeed", name);
                }
                failure = name;
            }
        }
    }

    /** Waits for a while, and says whether the pipeline has ended. */
    static boolean isDoneWithin(Duration time, CompletableFuture<Void> end) {
        try {
            end.get(time.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /**
     * Looks once.
     *
     * @throws PipelineFailedException if there was an error since the stores were opened, with the names of the stores
     */
    void check() {
        Set<String> failed = OpenStores.read(this::failed).orElse(Set.of());
        if (!failed.isEmpty()) {
            throw PipelineFailedException.ofStores(failed, stateDirectory);
        }
    }

    private Set<String> failed() {
        Set<String> failed = new TreeSet<>();
        for (Metric metric : metrics.get()) {
            MetricName name = metric.metricName();
            if (name.name().equals(BACKGROUND_ERRORS) && ((Number) metric.metricValue()).longValue() > 0) {
                failed.add("store %s of task %s"
                        .formatted(
                                name.tags().get("rocksdb-state-id"), name.tags().get("task-id")));
            }
        }
        return failed;
    }
}
