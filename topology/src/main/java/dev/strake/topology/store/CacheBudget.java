package dev.strake.topology.store;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The heap that all tasks of an instance may use together for parsed documents, in bytes of JSON. Tasks run on several
 * threads and each has its own documents; this count is all that they share.
 *
 * <p>A task may use what others leave free, so that one large workspace can have the whole budget. Once the budget is used
 * up, a task that has its share already drops documents of its own for each that it adds. In every pause, tasks with more
 * than their share drop a part, until one share is free again. So the budget can be exceeded only by shares of tasks that
 * began since the last pause.
 */
public final class CacheBudget {

    /** A tree takes four to five times the bytes of its JSON: this much of the heap leaves room for all else. */
    private static final int PART_OF_HEAP = 16;

    private final long whole;
    private final long share;
    private final AtomicLong used = new AtomicLong();

    /**
     * @param whole bytes of JSON
     * @param tasks how many there are at the most
     */
    CacheBudget(long whole, int tasks) {
        this.whole = whole;
        this.share = whole / tasks;
    }

    /**
     * What settings allow, and the heap.
     *
     * @param tasks how many there are at the most
     */
    public static CacheBudget of(Memory memory, int tasks) {
        long most = Runtime.getRuntime().maxMemory() / PART_OF_HEAP;
        return new CacheBudget(Math.min(memory.cacheBytes(), most), tasks);
    }

    /** Counts bytes that a task keeps in addition; negative for bytes that it dropped. */
    void use(long bytes) {
        used.addAndGet(bytes);
    }

    /** Whether a task that keeps this many bytes has to drop some at once. */
    boolean isExceeded(long kept) {
        return kept > share && used.get() > whole;
    }

    /** How many bytes a task should keep after a pause, if it keeps this many now. */
    long afterPause(long kept) {
        boolean scarce = used.get() > whole - share;
        return scarce && kept > share ? kept - Math.max(1, (kept - share) / 10) : kept;
    }
}
