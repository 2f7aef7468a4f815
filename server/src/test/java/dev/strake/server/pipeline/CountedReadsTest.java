package dev.strake.server.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.internals.InMemoryKeyValueStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CountedReadsTest {

    private static final int ENTRIES = 1_000;

    private final InMemoryKeyValueStore store = new InMemoryKeyValueStore("entries");
    private final AtomicInteger told = new AtomicInteger();
    private final CountedReads counted = new CountedReads(store, told::incrementAndGet);

    @BeforeEach
    void shouldHaveEntries() {
        for (int i = 0; i < ENTRIES; i++) {
            store.put(key(i), new byte[] {1});
        }
    }

    @Test
    void shouldTellOfEntriesThatWereLookedUp() {
        for (int i = 0; i < ENTRIES; i++) {
            assertThat(counted.get(key(i))).containsExactly(1);
        }

        assertThat(told).hasValue(ENTRIES / 64);
    }

    @Test
    void shouldTellOfEntriesThatWereIteratedOver() {
        int found = 0;
        try (KeyValueIterator<Bytes, byte[]> entries = counted.range(key(0), key(ENTRIES))) {
            while (entries.hasNext()) {
                assertThat(entries.next().key).isEqualTo(key(found++));
            }
        }

        assertThat(found).isEqualTo(ENTRIES);
        assertThat(told).hasValue(ENTRIES / 64);
    }

    @Test
    void shouldTellOfSearchesThatFindNothing() {
        for (int i = 0; i < 128; i++) {
            try (KeyValueIterator<Bytes, byte[]> entries = counted.reverseRange(key(ENTRIES), key(2 * ENTRIES))) {
                assertThat(entries.hasNext()).isFalse();
            }
        }

        assertThat(told).hasValue(2);
    }

    @Test
    void shouldNotTellOfShortAnswers() {
        counted.get(key(1));

        assertThat(told).hasValue(0);
    }

    @Test
    void shouldEndWithWhatTheReaderThrows() {
        CountedReads brokenOff = new CountedReads(store, () -> {
            throw new CancellationException();
        });

        assertThatThrownBy(() -> brokenOff.all().forEachRemaining(entry -> {}))
                .isInstanceOf(CancellationException.class);
    }

    private static Bytes key(int number) {
        return Bytes.wrap("%06d".formatted(number).getBytes(StandardCharsets.UTF_8));
    }
}
