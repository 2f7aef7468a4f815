package dev.strake.cli.terminal;

import dev.strake.client.Cluster;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Tells the user that Kafka does not answer. */
public final class Silence {

    /** How long to wait before telling: a healthy nearby broker answers sooner, even if it is busy. */
    public static final Duration LONGEST = Duration.ofSeconds(10);

    private Silence() {}

    /** Waits for an answer from Kafka. Tells the user once if that takes long. */
    public static <T> T until(Cluster cluster, Terminal terminal, Supplier<T> answer) {
        CompletableFuture<Void> late = CompletableFuture.runAsync(
                () -> tell(cluster, terminal),
                CompletableFuture.delayedExecutor(LONGEST.toMillis(), TimeUnit.MILLISECONDS));
        try {
            return answer.get();
        } finally {
            late.cancel(false);
        }
    }

    public static void tell(Cluster cluster, Terminal terminal) {
        terminal.say("strake: Kafka at %s does not answer; still trying.".formatted(cluster.bootstrapServers()));
    }
}
