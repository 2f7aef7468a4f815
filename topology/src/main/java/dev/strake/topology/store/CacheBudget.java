package dev.strake.topology.store;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The heap that all tasks of an instance have together for parsed documents, in bytes of JSON. Tasks run on several
 * threads, and none touches the documents of another: what they share is this count alone.
 *
 * <p>A task may take what others leave, so that one large workspace has it all. Once it is used up, whoever wants to
 * keep more gives up of its own, unless it has less than its share; and in every pause those that have more than that
 * give back a part, until a share is free again. So what is used can exceed the whole only by what newcomers are owed,
 * and only until the next pause.
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

    /** A task keeps so much more; less, if it is negative. */
    void use(long bytes) {
        used.addAndGet(bytes);
    }

    /** Whether a task that keeps so much has to give up some of it at once. */
    boolean isExceeded(long kept) {
        return kept > share && used.get() > whole;
    }

    /** How much a task that keeps so much should keep after a pause. */
    long afterPause(long kept) {
        boolean scarce = used.get() > whole - share;
        return scarce && kept > share ? kept - Math.max(1, (kept - share) / 10) : kept;
    }
}
