package dev.strake.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ScrapesTest {

    private final AtomicLong now = new AtomicLong(-5);
    private final AtomicInteger made = new AtomicInteger();
    private final Scrapes scrapes = new Scrapes(type -> type + " " + made.incrementAndGet(), now::get);

    @Test
    void shouldGiveTheLastScrapeToWhoAsksAgainSoon() {
        assertThat(scrapes.as("text")).asString().isEqualTo("text 1");
        now.addAndGet(Scrapes.FRESH_NANOS - 1);
        assertThat(scrapes.as("text")).asString().isEqualTo("text 1");
    }

    @Test
    void shouldScrapeAgainWhenTheLastOneIsOld() {
        scrapes.as("text");
        now.addAndGet(Scrapes.FRESH_NANOS);

        assertThat(scrapes.as("text")).asString().isEqualTo("text 2");
    }

    @Test
    void shouldKeepFormatsApart() {
        scrapes.as("text");

        assertThat(scrapes.as("other")).asString().isEqualTo("other 2");
    }
}
