package dev.strake.server.http;

/**
 * How fast the other side takes what is sent, or sends what is wanted. Only the time counts in which it is its turn.
 *
 * @param bytes that it has moved
 * @param nanos that it took for them
 * @param since when its present turn began, in terms of {@link System#nanoTime}
 * @param isItsTurn whether it has one
 */
record Pace(long bytes, long nanos, long since, boolean isItsTurn) {

    static final Pace NONE = new Pace(0, 0, 0, false);

    /** Who moves less than this, once it has had some time, is cut off. */
    private static final long LEAST_BYTES_A_SECOND = 4 << 10;

    /** The same while others are refused for want of room. */
    private static final long LEAST_WHILE_OTHERS_WAIT = 256 << 10;

    private static final long TIME_TO_BEGIN_NANOS = 10_000_000_000L;

    Pace begin(long now) {
        return new Pace(bytes, nanos, now, true);
    }

    Pace end(long moved, long now) {
        return new Pace(bytes + moved, isItsTurn ? nanos + now - since : nanos, now, false);
    }

    boolean isTooSlow(long now) {
        return isSlower(LEAST_BYTES_A_SECOND, now);
    }

    boolean isTooSlowWhileOthersWait(long now) {
        return isSlower(LEAST_WHILE_OTHERS_WAIT, now);
    }

    private boolean isSlower(long bytesASecond, long now) {
        long all = isItsTurn ? nanos + now - since : nanos;
        return all > TIME_TO_BEGIN_NANOS && bytes < all / 1_000_000_000.0 * bytesASecond;
    }
}
