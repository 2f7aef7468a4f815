package dev.strake.service.command;

import dev.strake.service.pipeline.Pipeline;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Runs a service in the foreground until somebody stops it. A signal runs the JVM's hooks while the main thread still
 * waits, so closing happens in a hook, in order, and once.
 */
final class UntilStopped {

    private static final Duration READY = Duration.ofMinutes(5);

    private UntilStopped() {}

    /**
     * Waits for the pipeline to be ready, says so, and waits for its end.
     *
     * @param ready what to do when it is ready
     */
    static void run(AutoCloseable service, Pipeline pipeline, Runnable ready) throws Exception {
        AtomicBoolean closed = new AtomicBoolean();
        Thread hook = new Thread(() -> close(service, closed), "close");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            pipeline.awaitReady(READY);
            ready.run();
            pipeline.awaitEnd();
        } finally {
            // While the JVM shuts down the hook is at it, and this thread goes nowhere any more.
            close(service, closed);
        }
    }

    private static void close(AutoCloseable service, AtomicBoolean closed) {
        if (closed.compareAndSet(false, true)) {
            try {
                service.close();
            } catch (Exception e) {
                // What ends here is the process; nobody above could do anything with a checked exception.
                throw new IllegalStateException("could not be closed in order", e);
            }
        }
    }
}
