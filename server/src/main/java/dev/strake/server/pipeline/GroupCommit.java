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
 * Says when stream threads commit. A thread does nothing else while it commits, and nothing that it did is visible before.
 * The interval that the operator chose suits a broker that commits in milliseconds. From a busy broker a commit takes much
 * longer, and threads that commit at each interval then spend most of their time in commits: changes pile up.
 *
 * <pre>
 *  commit of 60 ms, every 10 ms   ▏work▕▏── commit ──▕▏work▕▏── commit ──▕▏work▕▏── commit ──▕
 *  the same as a group            ▏─────────────── work ───────────────▕▏── commit ──▕▏── …
 * </pre>
 *
 * So a thread works for at least as long as its last commit took. If changes have waited for much longer than that, it works
 * for up to {@value #TIMES} times as long: they wait a little longer, for the good of those behind them. Where commits are
 * quick, it commits at the interval.
 *
 * <p>Kafka Streams knows one interval for all times. It is told a long one, and what is due before is asked for with
 * {@link ProcessorContext#commit()}. Everything happens on stream threads, each with figures of its own.
 */
final class GroupCommit {

    /** While changes wait, a thread works this many times as long as a commit takes. */
    private static final int TIMES = 3;

    /** A change may wait for others an eighth of the time that it has waited already. */
    private static final int PART_OF_AGE = 8;

    /** The interval that Streams is told. It also commits what no change has caused. */
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
     * Takes over the interval that Streams is set to commit at, and sets Streams to a long one.
     *
     * @throws ConfigException if it is no number
     */
    static GroupCommit insteadOf(Properties streams) {
        String name = StreamsConfig.COMMIT_INTERVAL_MS_CONFIG;
        long millis = (Long) ConfigDef.parseType(name, streams.get(name).toString(), ConfigDef.Type.LONG);
        streams.put(name, Math.max(millis, LONGEST_MILLIS));
        return new GroupCommit(Duration.ofMillis(millis), System::nanoTime);
    }

    /** A processor after each of whose records a commit may be due. */
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

    /* One timer for all tasks of the thread: a commit is one of all of them. A task that is closed may take the timer with
     * it. Then the next commit, by another change or by Streams' own interval, makes room for a new one. */
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

    /** This thread begins to commit: it waits for what it sent. */
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
