package dev.strake.server.http;

import java.lang.management.ManagementFactory;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Lets changes go first while they wait, or while they are under way and processors are short: threads that answer questions
 * get a small share of the processors then, all of them together. Otherwise they take what they can get.
 *
 * <p>Processors are short if work takes several times its CPU time: the thread had to wait for a processor.
 *
 * <p>A thread rests after its work, and within work that is long: whoever reads stores for it says so with {@link #goOn}.
 *
 * <pre>
 *  a short answer   ▏work▕· rest ·
 *  a long answer    ▏work▕· rest ·▏work▕· rest ·▏work▕· rest ·
 * </pre>
 *
 * So long answers take their time while changes go first, each with a thread of its own. That some threads are left for short
 * ones, only a few may be long at once; others are broken off and asked for again later.
 */
public final class Yielding {

    /** Threads that never rest. */
    static final Yielding NEVER = new Yielding(() -> Changes.NONE, Integer.MAX_VALUE);

    /** Of so many processors one. */
    private static final int ONE_OF = 16;

    private static final long ASK_AGAIN_NANOS = 250_000_000L;

    /** Processors are short once work takes more than so many times its CPU time, until it takes half as many at most. */
    private static final int SHORT = 4;

    /** Of all threads together: what cannot be divided, such as one large comparison in memory, may take a second. */
    private static final long LONGEST_NANOS = 5_000_000_000L;

    /** Work that takes longer than this is long. */
    private static final long LONG_NANOS = 100_000_000L;

    /** How many long answers are worked on at once while changes go first. */
    private static final int MOST_LONG = 2;

    private static final ThreadLocal<Work> WORK = new ThreadLocal<>();

    private final Supplier<Changes> changes;
    private final int processors;
    private final Semaphore longOnes = new Semaphore(MOST_LONG);
    private boolean changesFirst;
    private long asked;
    private long workedSinceAsked; // CPU time of all threads
    private long tookSinceAsked;
    private long restUntil;

    /** What the pipeline is at. */
    public enum Changes {
        NONE,
        /** Some are worked on. */
        UNDER_WAY,
        /** It does not keep up with them. */
        WAIT
    }

    /** There are enough long answers under way. */
    public static final class TooManyException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        TooManyException() {
            super("changes go first, and " + MOST_LONG + " long answers are worked on");
        }
    }

    /**
     * @param changes what the pipeline is at; asked four times a second at most
     */
    public Yielding(Supplier<Changes> changes) {
        this(changes, Runtime.getRuntime().availableProcessors());
    }

    Yielding(Supplier<Changes> changes, int processors) {
        this.changes = changes;
        this.processors = processors;
        this.asked = System.nanoTime() - 2 * ASK_AGAIN_NANOS;
        this.restUntil = asked;
    }

    /** What a thread is at. */
    private final class Work {

        private long counted = cpuTime();
        private long since = System.nanoTime();
        private long all;
        private boolean hasWaited;
        private boolean isLong;
        private boolean hasBegun;

        /* Rests for what was done since the last time. */
        void rest() {
            long cpu = cpuTime();
            long now = System.nanoTime();
            long worked = cpu - counted;
            counted = cpu;
            all += worked;
            long rest = Yielding.this.rest(worked, hasWaited ? worked : now - since, now);
            if (rest > 0) {
                LockSupport.parkNanos(Yielding.this, rest);
            }
            since = System.nanoTime();
            hasWaited = false;
        }

        void goOn() {
            rest();
            if (all >= LONG_NANOS) {
                takeLong();
            }
        }

        void takeLong() {
            if (!isLong && !hasBegun && changesFirst()) {
                if (!longOnes.tryAcquire()) {
                    throw new TooManyException();
                }
                isLong = true;
            }
        }

        void end() {
            if (isLong) {
                longOnes.release();
            }
            rest();
        }
    }

    /**
     * The priority of the threads that run tasks: where all processors are busy, those of changes come first. The JVM says so
     * to the operating system only if it is started with {@code -XX:ThreadPriorityPolicy=1}.
     */
    int priority() {
        return this == NEVER ? Thread.NORM_PRIORITY : Thread.MIN_PRIORITY;
    }

    private static long cpuTime() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    /** Runs a task, and lets the thread rest for what it took. */
    void run(Runnable task) {
        Work work = new Work();
        WORK.set(work);
        try {
            task.run();
        } finally {
            WORK.remove();
            work.end();
        }
    }

    /**
     * Called within work that may be long, some milliseconds after it began or was called last. Returns when it is this
     * thread's turn again; at once on threads that answer no questions.
     *
     * @throws TooManyException if the work is long, and there are enough of that kind; asking again in a moment may help
     */
    public static void goOn() {
        Work work = WORK.get();
        if (work != null) {
            work.goOn();
        }
    }

    /**
     * Called before a thread waits for the work of another one, which may be long.
     *
     * @throws TooManyException as {@link #goOn}
     */
    public static void waitsForAnother() {
        waits();
        Work work = WORK.get();
        if (work != null) {
            work.takeLong();
        }
    }

    /** Called before a thread waits for something else than a processor: that time does not tell whether those are short. */
    public static void waits() {
        Work work = WORK.get();
        if (work != null) {
            work.hasWaited = true;
        }
    }

    /** The answer that this thread is at has begun, so it is worked on to its end. */
    static void answerBegins() {
        Work work = WORK.get();
        if (work != null) {
            work.hasBegun = true;
        }
    }

    private synchronized boolean changesFirst() {
        return changesFirst;
    }

    /**
     * How long a thread has to rest, in nanoseconds.
     *
     * @param worked CPU time that it took
     * @param took the time from the beginning of this work to its end
     * @param now in terms of {@link System#nanoTime}
     */
    synchronized long rest(long worked, long took, long now) {
        workedSinceAsked += worked;
        tookSinceAsked += took;
        if (now - asked >= ASK_AGAIN_NANOS) {
            asked = now;
            changesFirst = switch (changes.get()) {
                case NONE -> false;
                case UNDER_WAY -> tookSinceAsked > workedSinceAsked * (changesFirst ? SHORT / 2 : SHORT);
                case WAIT -> true;
            };
            workedSinceAsked = 0;
            tookSinceAsked = 0;
        }
        if (!changesFirst) {
            restUntil = now;
            return 0;
        }
        long from = restUntil - now > 0 ? restUntil : now;
        restUntil = Math.min(now + LONGEST_NANOS, from + worked * ONE_OF / processors);
        return restUntil - now;
    }
}
