package dev.strake.topology.apply;

import java.util.concurrent.Semaphore;

/**
 * Lets all tasks of an instance together work on only so many bytes of changes at a time. As trees, documents take many
 * times their bytes, and two changes of the largest size at a time would fill a heap of a gigabyte. A change that takes
 * more than there is waits until it has the whole.
 *
 * <p>Small changes, which is nearly all of them, never wait.
 */
public final class LargeChanges {

    /** Changes of fewer bytes are not counted. */
    private static final int SMALL = 4 << 20;

    /** Documents of short lists and numbers take up to a dozen times their bytes. */
    private static final int PART_OF_HEAP = 16;

    private static final int UNIT = 1 << 10;

    private final int units;
    private final Semaphore free;

    public LargeChanges() {
        this(Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
    }

    LargeChanges(long bytes) {
        units = (int) Math.max(1, Math.min(Integer.MAX_VALUE, bytes / UNIT));
        free = new Semaphore(units, true);
    }

    /** Does the work on a change of this size, when it is its turn. */
    void work(long bytes, Runnable work) {
        if (bytes < SMALL) {
            work.run();
            return;
        }
        int taken = (int) Math.min(units, bytes / UNIT);
        free.acquireUninterruptibly(taken);
        try {
            work.run();
        } finally {
            free.release(taken);
        }
    }
}
