package dev.strake.server.http;

import java.lang.management.ManagementFactory;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Lets changes go first: while they wait, threads that answer questions get a small share of the processors, all of them
 * together. Otherwise they take what they can get.
 */
public final class Yielding {

    /** Threads that never rest. */
    static final Yielding NEVER = new Yielding(() -> false, Integer.MAX_VALUE);

    /** Of so many processors one. */
    private static final int ONE_OF = 8;

    private static final long ASK_AGAIN_NANOS = 1_000_000_000L;
    /** Of all threads together: one large comparison is a second of work, and several may run at once. */
    private static final long LONGEST_NANOS = 5_000_000_000L;

    private final BooleanSupplier changesWait;
    private final int processors;
    private boolean wait;
    private long asked;
    private long restUntil;

    /**
     * @param changesWait whether changes wait; asked once a second at most
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

    /** Runs a task, and lets the thread rest for what it took. */
    void run(Runnable task) {
        long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        try {
            task.run();
        } finally {
            long worked = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before;
            long rest = rest(worked, System.nanoTime());
            if (rest > 0) {
                LockSupport.parkNanos(this, rest);
            }
        }
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
