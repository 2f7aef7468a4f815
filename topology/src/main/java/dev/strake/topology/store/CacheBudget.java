package dev.strake.topology.store;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The heap that all tasks of an instance together may use for one kind of thing that the stores have, too: for parsed
 * documents, in bytes of JSON, or for heads, in estimated bytes. Tasks run on several threads, and each has its own
 * things. They share only this count.
 *
 * <p>A task may use what other tasks leave free, so one large workspace can have the whole budget. Once the budget is
 * used up, a task that keeps more than its share drops old things whenever it adds one. In every pause, each task
 * with more than its share drops a part, until one share is free again. So only the shares of tasks that began since
 * the last pause can exceed the budget.
 */
public final class CacheBudget {

    /** How many times the bytes of its JSON a tree takes. One that takes more, as a list of digits, counts as more JSON. */
    static final int TREE_OF_JSON = 5;

    /** As trees, this is up to a third of the heap, and leaves room for all else. */
    private static final int PART_OF_HEAP = 16;

    /** The part of the heap for heads. A single head that is larger stays for as long as it is the one in use. */
    private static final int HEADS_PART_OF_HEAP = 4;

    private final long whole;
    private final long share;
    private final AtomicLong used = new AtomicLong();

    /**
     * @param whole bytes of JSON
     * @param tasks the largest number of tasks
     */
    CacheBudget(long whole, int tasks) {
        this.whole = whole;
        this.share = whole / tasks;
    }

    /**
     * The budget that both the settings and the heap allow.
     *
     * @param tasks the largest number of tasks
     */
    public static CacheBudget of(Memory memory, int tasks) {
        long most = Runtime.getRuntime().maxMemory() / PART_OF_HEAP;
        return new CacheBudget(Math.min(memory.cacheBytes(), most), tasks);
    }

    /** The budget for heads that the heap allows. */
    public static CacheBudget ofHeads(int tasks) {
        return new CacheBudget(Runtime.getRuntime().maxMemory() / HEADS_PART_OF_HEAP, tasks);
    }

    /** Counts bytes that a task has added; negative for bytes that it has dropped. */
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
