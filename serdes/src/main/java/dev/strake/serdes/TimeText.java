package dev.strake.serdes;

import java.time.Instant;

/**
 * Formats times in records: RFC 3339 in UTC, such as {@code 2026-11-27T20:19:00.123Z}. Each change has two of them, and
 * many changes arrive in the same millisecond. So recent results are cached; formatting took more than a hundredth of
 * the time of a small change.
 */
public final class TimeText {

    private static final int KEPT = 1 << 6;

    /** Seconds from 1970 up to which times are cached. Strake writes no times beyond. */
    private static final long FAR = 1L << 40;

    /** Threads share the cache without a lock, because entries are immutable. */
    private static final Recent[] RECENT = new Recent[KEPT];

    private record Recent(long millis, String text) {}

    private TimeText() {}

    public static String of(Instant time) {
        boolean hasWholeMillis = time.getNano() % 1_000_000 == 0;
        return hasWholeMillis && Math.abs(time.getEpochSecond()) < FAR ? of(time.toEpochMilli()) : time.toString();
    }

    /** Formats a time in milliseconds since 1970. */
    public static String of(long millis) {
        int place = (int) millis & (KEPT - 1);
        Recent recent = RECENT[place];
        if (recent == null || recent.millis != millis) {
            recent = new Recent(millis, Instant.ofEpochMilli(millis).toString());
            RECENT[place] = recent;
        }
        return recent.text;
    }
}
