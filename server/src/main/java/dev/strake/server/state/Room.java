package dev.strake.server.state;

/**
 * Room on the heap for what answers keep of many documents at once, counted before it is taken. One answer alone may have
 * more than all of it where nothing smaller would do.
 */
final class Room {

    /** What is known of a document when its revision is worked out again: measured. */
    static final long BYTES_TO_DERIVE = 1_000;

    /** The identity of a document and what two revisions have of it. */
    static final long BYTES_TO_COMPARE = 400;

    /** An eighth: as much again is for pieces of answers, the rest for the pipeline. */
    private static final long SHARE_OF_HEAP = 8;

    private final long size;
    private long taken;

    /** There is no room now. */
    static final class FullException extends RuntimeException {

        private static final long serialVersionUID = 1L;
    }

    /** There will never be room. */
    static final class TooMuchException extends RuntimeException {

        private static final long serialVersionUID = 1L;
    }

    Room() {
        this(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);
    }

    Room(long size) {
        this.size = size;
    }

    /** Takes what cannot be taken in parts. */
    synchronized void takeAtOnce(long bytes) {
        if (taken > 0 && taken + bytes > size) {
            throw new FullException();
        }
        taken += bytes;
    }

    /**
     * Takes some more.
     *
     * @param before what the same answer has taken before
     */
    synchronized void takeMore(long before, long bytes) {
        if (before + bytes > size) {
            throw new TooMuchException();
        }
        if (taken + bytes > size) {
            throw new FullException();
        }
        taken += bytes;
    }

    synchronized void giveBack(long bytes) {
        taken -= bytes;
    }
}
