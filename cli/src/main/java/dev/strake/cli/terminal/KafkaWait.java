package dev.strake.cli.terminal;

import dev.strake.client.Cluster;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Reports to the user that Kafka does not answer. */
public final class KafkaWait {

    /** How long to wait before the report: a healthy nearby broker answers sooner, even if it is busy. */
    public static final Duration SILENT = Duration.ofSeconds(10);

    private KafkaWait() {}

    /** Waits for an answer from Kafka. Reports once if that takes long. */
    public static <T> T until(Cluster cluster, Terminal terminal, Supplier<T> answer) {
        CompletableFuture<Void> late = CompletableFuture.runAsync(
                () -> report(cluster, terminal),
                CompletableFuture.delayedExecutor(SILENT.toMillis(), TimeUnit.MILLISECONDS));
        try {
            return answer.get();
        } finally {
            late.cancel(false);
        }
    }

    public static void report(Cluster cluster, Terminal terminal) {
        terminal.say("strake: Kafka at %s does not answer; still trying.".formatted(cluster.bootstrapServers()));
    }
}
