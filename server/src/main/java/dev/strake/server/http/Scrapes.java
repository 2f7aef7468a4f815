package dev.strake.server.http;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/**
 * The answers to scrapes. A scrape asks every client and store for its figures, some milliseconds of work. So it is made once
 * a second at most, however many ask: who asks sooner gets the last one.
 */
final class Scrapes {

    static final long FRESH_NANOS = 1_000_000_000L;

    private final UnaryOperator<String> scrape;
    private final LongSupplier nanoTime;
    private final Map<String, Kept> kept = new HashMap<>();

    @SuppressWarnings("ArrayRecordComponent") // not compared
    private record Kept(byte[] text, long made) {}

    /**
     * @param scrape makes the text in a format, which is named by its media type
     */
    Scrapes(UnaryOperator<String> scrape, LongSupplier nanoTime) {
        this.scrape = scrape;
        this.nanoTime = nanoTime;
    }

    /** All metrics in a format, in UTF-8; at most {@link #FRESH_NANOS} old. */
    synchronized byte[] as(String mediaType) {
        long now = nanoTime.getAsLong();
        Kept last = kept.get(mediaType);
        if (last == null || now - last.made >= FRESH_NANOS) {
            last = new Kept(scrape.apply(mediaType).getBytes(StandardCharsets.UTF_8), now);
            kept.put(mediaType, last);
        }
        return last.text;
    }
}
