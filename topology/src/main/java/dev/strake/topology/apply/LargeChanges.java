package dev.strake.topology.apply;

import dev.strake.serdes.change.Payload;
import dev.strake.serdes.text.Limits;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.Semaphore;

/**
 * Lets all tasks of an instance together work on only so many changes at a time as the heap has room for, measured by what
 * they take as trees at worst. A change that takes more than there is waits until it has the whole: so of the largest
 * changes one at a time is worked on.
 *
 * <p>Small changes, which is nearly all of them, never wait.
 */
public final class LargeChanges {

    /** Changes of fewer bytes are not counted: at worst they take three megabytes for each thread. */
    private static final int SMALL = 64 << 10;

    /** The rest is for heads, caches, records that wait, and the broker of {@code strake up}. */
    private static final int PART_OF_HEAP = 2;

    /** A byte of the text is held as it came, as text, in its tree, and as JSON on its way to stores and topics. */
    private static final int HEAP_OF_BYTE = 4;

    /** A map of one entry with a key that no other map has: half of this for its key, the other for its value. */
    private static final int HEAP_OF_NODE = 90;

    /** The shortest way to write a key or value, as in a list of digits. */
    private static final int BYTES_OF_NODE = 2;

    private static final int UNIT = 1 << 10;

    private static final byte[] SPACES = " ".repeat(64).getBytes(StandardCharsets.US_ASCII);

    private final int mostNodes;
    private final int units;
    private final Semaphore free;

    public LargeChanges(Limits limits) {
        this(limits, Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
    }

    /**
     * @param heap bytes that the changes may take together
     */
    LargeChanges(Limits limits, long heap) {
        mostNodes = limits.changeNodes();
        units = (int) Math.max(1, Math.min(Integer.MAX_VALUE, heap / UNIT));
        free = new Semaphore(units, true);
    }

    /** Does the work on a change of one record, when it is its turn. */
    void work(Payload payload, Runnable work) {
        if (payload.bytes() < SMALL) {
            work.run();
        } else {
            long most = (long) written(payload.value()) + payload.origins().length;
            workInTurn(heap(payload.bytes(), (int) Math.min(mostNodes, most)), work);
        }
    }

    /** Does the work on a change of several records of this size together, when it is its turn. */
    void work(long bytes, Runnable work) {
        if (bytes < SMALL) {
            work.run();
        } else {
            workInTurn(heap(bytes, mostNodes), work);
        }
    }

    private void workInTurn(long heap, Runnable work) {
        int taken = (int) Math.min(units, heap / UNIT);
        free.acquireUninterruptibly(taken);
        try {
            work.run();
        } finally {
            free.release(taken);
        }
    }

    /* Bytes that are not blank, as far as they count. A key or value has one at least, so there are no more of these. */
    private int written(byte[] value) {
        int count = 0;
        int at = 0;
        while (at < value.length && count < mostNodes) {
            if (Arrays.mismatch(value, at, Math.min(at + SPACES.length, value.length), SPACES, 0, SPACES.length) < 0) {
                at += SPACES.length; // many times as fast
                continue;
            }
            int end = Math.min(at + SPACES.length, value.length);
            while (at < end) {
                byte each = value[at++];
                count += each != ' ' && each != '\n' && each != '\r' && each != '\t' ? 1 : 0;
            }
        }
        return count;
    }

    /** What a change of this size takes at worst, in bytes of heap. */
    static long heap(long bytes, int mostNodes) {
        return HEAP_OF_BYTE * bytes + HEAP_OF_NODE * Math.min(mostNodes, bytes / BYTES_OF_NODE);
    }
}
