package dev.strake.cli.terminal;

import dev.strake.client.Cluster;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** What people are told while Kafka does not answer. */
public final class Silence {

    /** How long Kafka may be silent before that is said: a broker nearby that is well and busy answers sooner. */
    public static final Duration LONGEST = Duration.ofSeconds(10);

    private Silence() {}

    /** Waits for something that Kafka answers. If that takes long, the terminal is told, once. */
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
