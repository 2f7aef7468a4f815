package dev.strake.engine.render;

import dev.strake.engine.derivation.Read;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.limit.ChangeEffort;
import java.util.Collection;

/**
 * Counts the size of the reads of all owners of a workspace. Each read is kept on the heap as long as the workspace is
 * in use. Each read is also an entry of the state, with the names of its owner and the names in the read.
 */
final class ReadLimit {

    /** The limit for all owners: about half a million usual reads. Each counts {@link #OF_READ} and its characters. */
    static final long MOST = 128L << 20;

    private static final int OF_READ = 128;

    private final long most;
    private long held;

    /**
     * @param before the size of the reads in the revision before
     */
    ReadLimit(long before) {
        this.most = Math.max(MOST, before);
    }

    /** The number of characters of all names and the path of a read. */
    static long characters(DocumentId owner, Read read) {
        return (long) owner.schema().length()
                + owner.layer().length()
                + owner.name().length()
                + read.characters();
    }

    /** The size of all reads of an owner. */
    static long size(DocumentId owner, Collection<Read> reads) {
        long sum = 0;
        for (Read read : reads) {
            sum += OF_READ + characters(owner, read);
        }
        return sum;
    }

    /**
     * Counts a read before it is kept. Threads that evaluate owners in parallel call this concurrently.
     *
     * @throws ChangeEffort.ExceededException if the owners of one change keep too much
     */
    synchronized void hold(long characters) {
        held += OF_READ + characters;
        check(held);
    }

    /**
     * Checks the size of the reads of all owners, including those that the change did not touch.
     *
     * @throws ChangeEffort.ExceededException if they exceed the maximum
     */
    void check(long all) {
        if (all > most) {
            throw ChangeEffort.ExceededException.ofReads(MOST, OF_READ);
        }
    }
}
