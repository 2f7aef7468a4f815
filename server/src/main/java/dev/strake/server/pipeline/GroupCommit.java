package dev.strake.server.pipeline;

import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Decides when stream threads commit. A thread processes nothing during a commit, and its results are invisible before.
 * The configured interval suits a broker that commits within milliseconds. With a busy broker, threads that commit at
 * that interval would spend most of their time in commits, and changes would queue up.
 *
 * <pre>
 *  commit of 60 ms, every 10 ms   ▏work▕▏── commit ──▕▏work▕▏── commit ──▕▏work▕▏── commit ──▕
 *  the same as a group            ▏─────────────── work ───────────────▕▏── commit ──▕▏── …
 * </pre>
 *
 * <p>Therefore a thread works for at least as long as its last commit took. If changes have waited much longer than
 * that, the thread works up to {@value #TIMES} times as long, which delays these changes a little and lets more of the
 * queue share the commit. If commits are fast, the thread commits at the configured interval.
 *
 * <p>Kafka Streams has one fixed interval. It gets a long one, and earlier commits are requested with
 * {@link ProcessorContext#commit()}. Everything runs on stream threads, each with its own measurements.
 */
final class GroupCommit {

    /** While changes wait, a thread works up to this many times as long as a commit takes. */
    private static final int TIMES = 3;

    /** Grouping may delay a change by an eighth of its age. */
    private static final int PART_OF_AGE = 8;

    /** The commit interval of Kafka Streams. It also commits work that no change has caused. */
    private static final long LONGEST_MILLIS = 500;

    private final long intervalNanos;
    private final LongSupplier nanoTime;
    private final ThreadLocal<OfThread> threads;

    private static final class OfThread {

        private boolean commits;
        private long began;
        private long took;
        private long ended;
        private Cancellable timer;

        OfThread(long ended) {
            this.ended = ended;
        }
    }

    GroupCommit(Duration interval, LongSupplier nanoTime) {
        this.intervalNanos = interval.toNanos();
        this.nanoTime = nanoTime;
        this.threads = ThreadLocal.withInitial(() -> new OfThread(nanoTime.getAsLong() - intervalNanos));
    }

    /**
     * Takes over the configured commit interval, and sets a long one for Kafka Streams.
     *
     * @throws ConfigException if the interval is not a number
     */
    static GroupCommit insteadOf(Properties streams) {
        String name = StreamsConfig.COMMIT_INTERVAL_MS_CONFIG;
        long millis = (Long) ConfigDef.parseType(name, streams.get(name).toString(), ConfigDef.Type.LONG);
        streams.put(name, Math.max(millis, LONGEST_MILLIS));
        return new GroupCommit(Duration.ofMillis(millis), System::nanoTime);
    }

    /** Wraps a processor to check after each record whether a commit is due. */
    <K, V, X, Y> Processor<K, V, X, Y> after(Processor<K, V, X, Y> processor) {
        return new Processor<>() {
            private ProcessorContext<X, Y> context;

            @Override
            public void init(ProcessorContext<X, Y> newContext) {
                context = newContext;
                processor.init(newContext);
            }

            @Override
            public void process(Record<K, V> record) {
                processor.process(record);
                processed(context, context.currentSystemTimeMs() - record.timestamp());
            }

            @Override
            public void close() {
                processor.close();
            }
        };
    }

    /*
     * One timer serves all tasks of the thread, because they commit together. If the task with the timer is closed, the
     * next commit, by another change or by Streams' own interval, allows a new timer.
     */
    private void processed(ProcessorContext<?, ?> context, long ageMillis) {
        OfThread thread = threads.get();
        long forOthers = TimeUnit.MILLISECONDS.toNanos(ageMillis) / PART_OF_AGE;
        long work = Math.max(intervalNanos, Math.max(thread.took, Math.min(TIMES * thread.took, forOthers)));
        long left = thread.ended + work - nanoTime.getAsLong();
        if (left <= 0) {
            context.commit();
        } else if (thread.timer == null) {
            Duration rest = Duration.ofMillis(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
            thread.timer = context.schedule(rest, PunctuationType.WALL_CLOCK_TIME, now -> context.commit());
        }
    }

    /** This thread starts a commit: it flushes its producer. */
    void begins() {
        OfThread thread = threads.get();
        if (!thread.commits) {
            thread.commits = true;
            thread.began = nanoTime.getAsLong();
        }
    }

    void ended() {
        OfThread thread = threads.get();
        thread.ended = nanoTime.getAsLong();
        thread.took = thread.commits ? thread.ended - thread.began : 0;
        thread.commits = false;
        if (thread.timer != null) {
            thread.timer.cancel();
            thread.timer = null;
        }
    }
}
