package dev.strake.cli.terminal;

import dev.strake.server.pipeline.Pipeline;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Runs work in the foreground and closes its resource once, whether the work ends or a signal stops it. After a signal
 * the JVM runs its hooks while the main thread still waits, so the resource must be closeable in a hook.
 */
public final class UntilStopped {

    /** Restoring may take hours. The operator knows when to give up, for example by a startup probe. */
    private static final Duration READY = Duration.ofDays(7);

    private UntilStopped() {}

    /** Waits until the pipeline of a service is ready, runs {@code ready}, and waits for the end of the pipeline. */
    public static void serve(AutoCloseable service, Pipeline pipeline, Runnable ready) throws Exception {
        run(service, () -> {
            pipeline.awaitReady(READY);
            ready.run();
            pipeline.awaitEnd();
            return ExitCode.FINE;
        });
    }

    /** Runs work with a resource, and returns its result. */
    public static int run(AutoCloseable resource, Callable<Integer> work) throws Exception {
        AtomicBoolean closed = new AtomicBoolean();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> close(resource, closed), "close"));
        try {
            return work.call();
        } finally {
            // During a shutdown the hook closes the resource, and this thread does not continue.
            close(resource, closed);
        }
    }

    private static void close(AutoCloseable resource, AtomicBoolean closed) {
        if (closed.compareAndSet(false, true)) {
            try {
                resource.close();
            } catch (Exception e) {
                // The process is ending, and no caller could handle a checked exception.
                throw new IllegalStateException("could not be closed in order", e);
            }
        }
    }
}
