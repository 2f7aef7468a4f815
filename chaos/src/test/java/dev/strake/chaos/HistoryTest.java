package dev.strake.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.strake.serdes.TopicNames;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryTest {

    private static final int MEBIBYTE = 1 << 20;

    @Test
    void shouldKeepValuesAndHeadersOfRecordsOutOfTheHeap() {
        byte[] value = filled(900_000);
        byte[] header = filled(500_000);
        WeakReference<byte[]> valueInHeap = new WeakReference<>(value);
        WeakReference<byte[]> headerInHeap = new WeakReference<>(header);
        ConsumerRecord<byte[], byte[]> kept =
                new Spool().keep(record(7, value, new RecordHeaders().add("huge", header)));
        value = null;
        header = null;

        await().until(() -> {
            System.gc();
            return valueInHeap.get() == null && headerInHeap.get() == null;
        });
        assertThat(kept.value()).isEqualTo(filled(900_000));
        assertThat(kept.headers().lastHeader("huge").value()).isEqualTo(filled(500_000));
    }

    @Test
    void shouldHoldEqualLargeValuesOnce() {
        Spool spool = new Spool();
        ConsumerRecord<byte[], byte[]> one = spool.keep(record(1, filled(MEBIBYTE), new RecordHeaders()));
        ConsumerRecord<byte[], byte[]> other = spool.keep(record(2, filled(MEBIBYTE), new RecordHeaders()));

        assertThat(one.value()).isEqualTo(filled(MEBIBYTE)).isSameAs(other.value());
    }

    @Test
    void shouldBeTheSameAfterItWasSavedAndLoaded(@TempDir Path folder) throws IOException {
        Headers headers =
                new RecordHeaders().add("a", null).add("a", new byte[0]).add("b", "ü".getBytes(UTF_8));
        List<ConsumerRecord<byte[], byte[]>> records = List.of(
                record(1, null, headers),
                record(2, new byte[0], headers),
                record(3, filled(10), new RecordHeaders()),
                record(4, filled(MEBIBYTE), headers),
                record(5, filled(MEBIBYTE + 1), headers),
                record(6, filled(MEBIBYTE), headers));
        new History("strake.", 3, Map.of(TopicNames.CHANGES, records)).save(folder.resolve("saved"));

        History loaded = History.load(folder.resolve("saved"));

        assertThat(loaded.topic(TopicNames.CHANGES)).hasSameSizeAs(records);
        for (int i = 0; i < records.size(); i++) {
            ConsumerRecord<byte[], byte[]> before = records.get(i);
            ConsumerRecord<byte[], byte[]> after =
                    loaded.topic(TopicNames.CHANGES).get(i);
            assertThat(WorkspaceCheck.place(after)).isEqualTo(WorkspaceCheck.place(before));
            assertThat(after.timestamp()).isEqualTo(before.timestamp());
            assertThat(after.key()).isEqualTo(before.key());
            assertThat(after.value()).isEqualTo(before.value());
            assertThat(after.headers()).isEqualTo(before.headers());
        }
        assertThat(folder.resolve("saved"))
                .satisfies(file -> assertThat(file.toFile().length()).isLessThan(MEBIBYTE));
    }

    private static byte[] filled(int bytes) {
        byte[] value = new byte[bytes];
        Arrays.fill(value, (byte) 'x');
        return value;
    }

    private static ConsumerRecord<byte[], byte[]> record(long offset, byte[] value, Headers headers) {
        return History.record("strake." + TopicNames.CHANGES, 0, offset, 1_000, "ws".getBytes(UTF_8), value, headers);
    }
}
