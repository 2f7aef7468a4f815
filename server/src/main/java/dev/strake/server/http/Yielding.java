package dev.strake.server.http;

import java.lang.management.ManagementFactory;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Lets changes go first: while they wait, threads that answer questions get a small share of the processors, all of them
 * together. Otherwise they take what they can get.
 *
 * <p>A thread rests after its work, and within work that is long: whoever reads stores for it says so with {@link #goOn}.
 *
 * <pre>
 *  a short answer   ▏work▕· rest ·
 *  a long answer    ▏work▕· rest ·▏work▕· rest ·▏work▕· rest ·
 * </pre>
 *
 * So long answers take their time while changes wait, each with a thread of its own. That some threads are left for short
 * ones, only a few may be long at once; others are broken off and asked for again later.
 */
public final class Yielding {

    /** Threads that never rest. */
    static final Yielding NEVER = new Yielding(() -> false, Integer.MAX_VALUE);

    /** Of so many processors one. */
    private static final int ONE_OF = 16;

    private static final long ASK_AGAIN_NANOS = 250_000_000L;

    /** Of all threads together: what cannot be divided, such as one large comparison in memory, may take a second. */
    private static final long LONGEST_NANOS = 5_000_000_000L;

    /** Work that takes longer than this is long. */
    private static final long LONG_NANOS = 100_000_000L;

    /** How many long answers are worked on at once while changes wait. */
    private static final int MOST_LONG = 2;

    private static final ThreadLocal<Work> WORK = new ThreadLocal<>();

    private final BooleanSupplier changesWait;
    private final int processors;
    private final Semaphore longOnes = new Semaphore(MOST_LONG);
    private boolean wait;
    private long asked;
    private long restUntil;

    /** There are enough long answers under way. */
    public static final class TooManyException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        TooManyException() {
            super("changes wait, and " + MOST_LONG + " long answers are worked on");
        }
    }

    /**
     * @param changesWait whether changes wait; asked four times a second at most
     */
    public Yielding(BooleanSupplier changesWait) {
        this(changesWait, Runtime.getRuntime().availableProcessors());
    }

    Yielding(BooleanSupplier changesWait, int processors) {
        this.changesWait = changesWait;
        this.processors = processors;
        this.asked = System.nanoTime() - 2 * ASK_AGAIN_NANOS;
        this.restUntil = asked;
    }

    /** What a thread is at. */
    private final class Work {

        private long counted = cpuTime();
        private long all;
        private boolean isLong;
        private boolean hasBegun;

        /* Rests for what was done since the last time. */
        void rest() {
            long now = cpuTime();
            long worked = now - counted;
            counted = now;
            all += worked;
            long rest = Yielding.this.rest(worked, System.nanoTime());
            if (rest > 0) {
                LockSupport.parkNanos(Yielding.this, rest);
            }
        }

        void goOn() {
            rest();
            if (all >= LONG_NANOS) {
                takeLong();
            }
        }

        void takeLong() {
            if (!isLong && !hasBegun && changesWait()) {
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
        Work work = WORK.get();
        if (work != null) {
            work.takeLong();
        }
    }

    /** The answer that this thread is at has begun, so it is worked on to its end. */
    static void answerBegins() {
        Work work = WORK.get();
        if (work != null) {
            work.hasBegun = true;
        }
    }

    private synchronized boolean changesWait() {
        return wait;
    }

    /**
     * How long a thread has to rest, in nanoseconds.
     *
     * @param worked CPU time that it took
     * @param now in terms of {@link System#nanoTime}
     */
    synchronized long rest(long worked, long now) {
        if (now - asked >= ASK_AGAIN_NANOS) {
            asked = now;
            wait = changesWait.getAsBoolean();
        }
        if (!wait) {
            restUntil = now;
            return 0;
        }
        long from = restUntil - now > 0 ? restUntil : now;
        restUntil = Math.min(now + LONGEST_NANOS, from + worked * ONE_OF / processors);
        return restUntil - now;
    }
}
