package dev.strake.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import dev.strake.cli.command.ExitCode;
import java.lang.Thread.UncaughtExceptionHandler;
import java.util.function.Consumer;
import org.slf4j.Marker;

/**
 * Ends the process where an {@link Error} ended a thread, or where somebody caught an {@link OutOfMemoryError} and goes on
 * without what it was about to do. The JVM has an option for the second, which somebody would have to set, and none for the first.
 *
 * <p>Threads that nobody looks after end here as the handler of all uncaught exceptions. Others are looked after by a library: the
 * threads of Kafka's clients have a handler of their own, and those of Jetty and of a broker catch everything. All these
 * log what they caught, so it is seen here as a filter of the log (logback.xml), at whatever level they log it. Threads of
 * Kafka Streams are an exception: what ends them is told, and decided about, by the pipeline.
 *
 * <p>Nothing is closed: it could wait for the thread that is gone. What was under way is done again after the next start.
 */
public final class EndOnError extends TurboFilter implements UncaughtExceptionHandler {

    private static final String THREADS_OF_KAFKA = "org.apache.kafka.common.utils.KafkaThread";
    private static final String STREAMS = "org.apache.kafka.streams.";

    /** Causes may be circular. */
    private static final int DEEPEST_CAUSE = 20;

    private final Consumer<String> end;

    /** The filter of the log. */
    public EndOnError() {
        this(EndOnError::halt);
    }

    EndOnError(Consumer<String> end) {
        this.end = end;
    }

    /** Looks after all threads that nobody else looks after. */
    static void install() {
        Thread.setDefaultUncaughtExceptionHandler(new EndOnError());
    }

    private static void halt(String reason) {
        try {
            System.err.println(reason);
        } finally {
            Runtime.getRuntime().halt(ExitCode.BUG);
        }
    }

    @Override
    public void uncaughtException(Thread thread, Throwable failure) {
        if (failure instanceof Error) {
            end(thread, failure);
        } else {
            System.err.println("strake: the thread " + thread.getName() + " ended: " + kind(failure));
        }
    }

    @Override
    public FilterReply decide(
            Marker marker, Logger logger, Level level, String format, Object[] parameters, Throwable given) {
        Throwable failure = given;
        if (failure == null && parameters != null && parameters.length > 0) {
            failure = parameters[parameters.length - 1] instanceof Throwable last ? last : null;
        }
        if (failure != null && isEnd(logger.getName(), failure)) {
            end(Thread.currentThread(), failure);
        }
        return FilterReply.NEUTRAL;
    }

    private static boolean isEnd(String logger, Throwable failure) {
        return logger.equals(THREADS_OF_KAFKA)
                ? failure instanceof Error
                : !logger.startsWith(STREAMS) && isOutOfMemory(failure);
    }

    private static boolean isOutOfMemory(Throwable failure) {
        Throwable cause = failure;
        for (int i = 0; i < DEEPEST_CAUSE && cause != null; i++, cause = cause.getCause()) {
            if (cause instanceof OutOfMemoryError) {
                return true;
            }
        }
        return false;
    }

    /* The message of an error of the JVM says what was short; that of any other may quote anything. */
    private void end(Thread thread, Throwable failure) {
        end.accept("strake: the process ends, as the thread " + thread.getName() + " had a " + kind(failure)
                + ". Nothing was skipped; what was under way is done again after the next start.");
    }

    private static String kind(Throwable failure) {
        String place = failure.getStackTrace().length == 0 ? "" : " at " + failure.getStackTrace()[0];
        String message = failure instanceof VirtualMachineError ? " (" + failure.getMessage() + ")" : "";
        return failure.getClass().getName() + message + place;
    }
}
