package dev.strake.server.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.FetchResponseData.AbortedTransaction;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;

/** Which batches of an answer a consumer sees. */
class RawFetchTest {

    private static final long ONE = 11;
    private static final long OTHER = 12;

    private final ByteBuffer batches = ByteBuffer.allocate(1 << 12);
    private long end;

    @Test
    void shouldPassOverAbortedTransactionsAndMarkers() {
        write(ONE); // 0, aborted
        write(OTHER); // 1
        end(ONE, ControlRecordType.ABORT);
        write(ONE); // 3
        end(OTHER, ControlRecordType.COMMIT);
        end(ONE, ControlRecordType.COMMIT);
        write(ONE); // 6, aborted
        end(ONE, ControlRecordType.ABORT);
        RawFetch.Batches read = RawFetch.visible(
                answer().setAbortedTransactions(List.of(
                        new AbortedTransaction().setProducerId(ONE).setFirstOffset(6),
                        new AbortedTransaction().setProducerId(ONE).setFirstOffset(0))),
                0);
        assertThat(read.visible()).extracting(DefaultRecordBatch::baseOffset).containsExactly(1L, 3L);
        assertThat(read.end()).isEqualTo(8);
    }

    @Test
    void shouldBeginWithTheBatchOfTheOffset() {
        write(ONE);
        write(ONE);
        RawFetch.Batches read = RawFetch.visible(answer(), 1);
        assertThat(read.visible()).extracting(DefaultRecordBatch::baseOffset).containsExactly(1L);
        assertThat(RawFetch.visible(new PartitionData().setRecords(MemoryRecords.EMPTY), 7)
                        .end())
                .isEqualTo(7);
    }

    private PartitionData answer() {
        return new PartitionData().setRecords(MemoryRecords.readableRecords(batches.flip()));
    }

    private void write(long producer) {
        batches.put(MemoryRecords.withTransactionalRecords(
                        end++,
                        Compression.zstd().build(),
                        producer,
                        (short) 0,
                        0,
                        0,
                        new SimpleRecord("text".getBytes(UTF_8)))
                .buffer());
    }

    private void end(long producer, ControlRecordType type) {
        batches.put(MemoryRecords.withEndTransactionMarker(
                        end++, 0, 0, producer, (short) 0, new EndTransactionMarker(type, 0))
                .buffer());
    }
}
