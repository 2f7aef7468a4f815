package dev.strake.cli.terminal;

import dev.strake.server.pipeline.Pipeline;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Runs something in the foreground and closes it once, in order, whether it ends by itself or somebody stops it. A signal
 * runs the JVM's hooks while the main thread still waits, so closing has to be able to happen in a hook.
 */
public final class UntilStopped {

    /** Restoring may take hours. Whoever runs the process knows when to give up: a startup probe, or a person. */
    private static final Duration READY = Duration.ofDays(7);

    private UntilStopped() {}

    /** Waits for a service's pipeline to be ready, says so, and waits for its end. */
    public static void serve(AutoCloseable service, Pipeline pipeline, Runnable ready) throws Exception {
        run(service, () -> {
            pipeline.awaitReady(READY);
            ready.run();
            pipeline.awaitEnd();
            return ExitCode.FINE;
        });
    }

    /** Does some work with a resource and hands back what comes of it. */
    public static int run(AutoCloseable resource, Callable<Integer> work) throws Exception {
        AtomicBoolean closed = new AtomicBoolean();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> close(resource, closed), "close"));
        try {
            return work.call();
        } finally {
            // While the JVM shuts down the hook is at it, and this thread goes nowhere any more.
            close(resource, closed);
        }
    }

    private static void close(AutoCloseable resource, AtomicBoolean closed) {
        if (closed.compareAndSet(false, true)) {
            try {
                resource.close();
            } catch (Exception e) {
                // What ends here is the process; nobody above could do anything with a checked exception.
                throw new IllegalStateException("could not be closed in order", e);
            }
        }
    }
}
