package dev.strake.server.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.strake.serdes.Cut;
import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.RecordSize;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.ByteBufferOutputStream;
import org.apache.kafka.common.utils.Crc32C;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BatchReaderTest {

    private static final TopicPartition PARTITION = new TopicPartition("changes", 3);
    private static final int MIB = 1 << 20;
    private static final int MOST = 17 * MIB;

    private final PollBudget budget = PollBudget.ofChanges(Long.MAX_VALUE, Long.MAX_VALUE, MOST);

    private record Fields(
            long offset, long timestamp, TimestampType type, List<Byte> key, List<Byte> value, List<String> headers) {

        static Fields of(ConsumerRecord<byte[], byte[]> record) {
            return new Fields(
                    record.offset(),
                    record.timestamp(),
                    record.timestampType(),
                    list(record.key()),
                    list(record.value()),
                    texts(record.headers().toArray()));
        }

        static Fields of(Record record, RecordBatch batch) {
            return new Fields(
                    record.offset(),
                    record.timestamp(),
                    batch.timestampType(),
                    list(Utils.toNullableArray(record.key())),
                    list(Utils.toNullableArray(record.value())),
                    texts(record.headers()));
        }

        private static List<String> texts(Header... headers) {
            List<String> texts = new ArrayList<>();
            for (Header header : headers) {
                texts.add(header.key() + "=" + list(header.value()));
            }
            return texts;
        }

        private static List<Byte> list(byte[] bytes) {
            if (bytes == null) {
                return null;
            }
            List<Byte> list = new ArrayList<>();
            for (byte each : bytes) {
                list.add(each);
            }
            return list;
        }
    }

    @ParameterizedTest
    @EnumSource(CompressionType.class)
    void shouldReadWhatKafkaReads(CompressionType codec) throws IOException {
        Random random = new Random(codec.id);
        for (int round = 0; round < 40; round++) {
            DefaultRecordBatch batch = random(random, codec);
            List<Fields> expected = new ArrayList<>();
            batch.forEach(record -> expected.add(Fields.of(record, batch)));
            List<Fields> read = new ArrayList<>();
            try (BatchReader reader = reader(batch)) {
                while (reader.next()) {
                    assertThat(reader.offset())
                            .isEqualTo(expected.get(read.size()).offset());
                    read.add(Fields.of(reader.read(budget)));
                }
            }
            assertThat(read).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @EnumSource(CompressionType.class)
    void shouldFindEachRecordBehindThoseThatItPassesOver(CompressionType codec) throws IOException {
        Random random = new Random(codec.id);
        DefaultRecordBatch batch = random(random, codec);
        for (Record expected : batch) {
            try (BatchReader reader = reader(batch)) {
                do {
                    assertThat(reader.next()).isTrue();
                    if (random.nextBoolean() && reader.offset() < expected.offset()) {
                        assertThat(reader.mostHeap()).isPositive();
                    }
                } while (reader.offset() < expected.offset());
                assertThat(Fields.of(reader.read(budget))).isEqualTo(Fields.of(expected, batch));
            }
        }
    }

    private static DefaultRecordBatch random(Random random, CompressionType codec) {
        TimestampType type = random.nextBoolean() ? TimestampType.CREATE_TIME : TimestampType.LOG_APPEND_TIME;
        long first = random.nextInt(1_000_000);
        MemoryRecordsBuilder builder = new MemoryRecordsBuilder(
                new ByteBufferOutputStream(1 << 10),
                RecordBatch.MAGIC_VALUE_V2,
                Compression.of(codec).build(),
                type,
                first,
                1_700_000_000_000L,
                RecordBatch.NO_PRODUCER_ID,
                RecordBatch.NO_PRODUCER_EPOCH,
                RecordBatch.NO_SEQUENCE,
                false,
                false,
                7,
                Integer.MAX_VALUE);
        int count = 1 + random.nextInt(20);
        long offset = first;
        for (int i = 0; i < count; i++) {
            offset += random.nextInt(300); // compaction leaves gaps
            Header[] headers = new Header[random.nextInt(4)];
            for (int h = 0; h < headers.length; h++) {
                headers[h] = new RecordHeader("ä".repeat(random.nextInt(80)), bytes(random, 300));
            }
            long timestamp = 1_600_000_000_000L + random.nextInt();
            builder.appendWithOffset(
                    offset++, timestamp, bytes(random, 200), bytes(random, 1 << random.nextInt(18)), headers);
        }
        return only(builder.build());
    }

    private static byte[] bytes(Random random, int most) {
        if (random.nextInt(5) == 0) {
            return null;
        }
        byte[] bytes = new byte[random.nextInt(most)];
        if (random.nextBoolean()) {
            random.nextBytes(bytes);
        }
        return bytes;
    }

    private static BatchReader reader(DefaultRecordBatch batch) {
        return new BatchReader(PARTITION, batch, BufferSupplier.NO_CACHING);
    }

    private static DefaultRecordBatch only(MemoryRecords records) {
        return (DefaultRecordBatch) records.batches().iterator().next();
    }

    private static DefaultRecordBatch only(PackedBatch batch) throws IOException {
        return only(MemoryRecords.readableRecords(batch.bytes()));
    }

    @ParameterizedTest
    @EnumSource(CompressionType.class)
    void shouldCutWhatIsBeyondAnyUseAndReadOn(CompressionType codec) throws IOException {
        String large = "x".repeat(2 * MIB);
        DefaultRecordBatch batch = only(new PackedBatch(codec.name)
                .add("before", "{}", 0, "ce_id", "1")
                .add("value", "{", 18 * MIB, "ce_id", "2")
                .add("k".repeat(70_000), null, 0)
                .add(null, "", 16 * MIB, "large", large, "ce_id", "3", "larger", large)
                .add("after", "{}", 0));
        try (BatchReader reader = reader(batch)) {
            assertThat(next(reader).key()).asString(UTF_8).isEqualTo("before");

            ConsumerRecord<byte[], byte[]> value = next(reader);
            assertThat(value.value()).hasSize(RecordSize.MOST).startsWith('{', ' ');
            assertThat(value.serializedValueSize()).isEqualTo(RecordSize.MOST);
            assertThat(Cut.ofContent(value.headers())).isEqualTo(OptionalLong.of(18 * MIB + 1));
            assertThat(value.headers().lastHeader("ce_id").value())
                    .asString(UTF_8)
                    .isEqualTo("2");

            ConsumerRecord<byte[], byte[]> key = next(reader);
            assertThat(key.key()).hasSize(64 << 10);
            assertThat(key.value()).isNull();
            assertThat(Cut.ofContent(key.headers())).isEmpty();
            assertThat(key.headers().lastHeader(HeaderNames.UNCUT_KEY_BYTES).value())
                    .asString(UTF_8)
                    .isEqualTo("70000");

            ConsumerRecord<byte[], byte[]> headers = next(reader);
            assertThat(headers.value()).hasSize(16 * MIB);
            assertThat(headers.headers()).extracting(Header::key).containsExactly("ce_id", HeaderNames.DROPPED_HEADERS);
            assertThat(headers.headers().lastHeader(HeaderNames.DROPPED_HEADERS).value())
                    .asString(UTF_8)
                    .isEqualTo("2");
            assertThat(Cut.ofContent(headers.headers()).orElseThrow()).isGreaterThan(20 * MIB);

            assertThat(next(reader).key()).asString(UTF_8).isEqualTo("after");
            assertThat(reader.next()).isFalse();
        }
    }

    private ConsumerRecord<byte[], byte[]> next(BatchReader reader) throws IOException {
        assertThat(reader.next()).isTrue();
        return reader.read(budget);
    }

    @Test
    void shouldCountManyEmptyHeaders() throws IOException {
        String[] headers = new String[2 * 500_000];
        Arrays.fill(headers, "");
        DefaultRecordBatch batch = only(new PackedBatch("zstd").add(null, null, 0, headers));
        try (BatchReader reader = reader(batch)) {
            reader.next();
            assertThat(reader.mostHeap()).isGreaterThan(MOST);
            assertThat(reader.hasContent()).isFalse();
            assertThat(reader.unpacked()).isLessThan(100);
        }
        try (BatchReader reader = reader(batch)) {
            assertThat(next(reader).headers().toArray()).hasSizeLessThan(1_100);
            assertThat(reader.unpacked()).isGreaterThan(1_000_000);
        }
    }

    @Test
    void shouldReadABatchThatSnappyPackedAsOneBlock() throws IOException {
        DefaultRecordBatch batch = only(PackedBatch.inOneBlock()
                .add("first", "{}", 3 * MIB, "ce_id", "1")
                .add("second", "{}", 0));
        try (BatchReader reader = reader(batch)) {
            assertThat(next(reader).value()).hasSize(3 * MIB + 2);
            assertThat(next(reader).key()).asString(UTF_8).isEqualTo("second");
            assertThat(reader.next()).isFalse();
        }
    }

    /* Snappy takes it onto the heap as a whole, or not at all. */
    @Test
    void shouldTellOfEachRecordOfABatchWhoseBlockIsTooLong() throws IOException {
        PackedBatch packed = PackedBatch.inOneBlock();
        for (int i = 0; i < 5; i++) {
            packed.add("key", "{", 13 * MIB);
        }
        DefaultRecordBatch batch = only(packed);
        try (BatchReader reader = reader(batch)) {
            for (int i = 0; i < 5; i++) {
                ConsumerRecord<byte[], byte[]> record = next(reader);
                assertThat(record.offset()).isEqualTo(i);
                assertThat(record.key()).isNull();
                assertThat(record.value()).isNull();
                assertThat(Cut.ofBlock(record.headers()).orElseThrow()).isBetween(65L * MIB, 66L * MIB);
            }
            assertThat(reader.next()).isFalse();
            assertThat(reader.unpacked()).isZero();
        }
    }

    @Test
    void shouldTellTheHeapOfARecordWithoutUnpackingItsValue() throws IOException {
        DefaultRecordBatch batch = only(new PackedBatch("zstd")
                .add("key", "{", 3 * MIB, "ce_id", "1")
                .add(null, "", 200 * MIB)
                .add("key", null, 0));
        try (BatchReader reader = reader(batch)) {
            reader.next();
            assertThat(reader.mostHeap()).isBetween(3L * MIB, 3L * MIB + 2_000);
            assertThat(reader.hasContent()).isTrue();
            assertThat(reader.unpacked()).isLessThan(100);
            reader.next();
            assertThat(reader.mostHeap()).isBetween(200L * MIB, 200L * MIB + 2_000);
            assertThat(reader.hasContent()).isTrue();
            reader.next();
            assertThat(reader.mostHeap()).isLessThan(2_000);
            assertThat(reader.hasContent()).isTrue();
        }
    }

    @Test
    void shouldNotReadPastTheEndOfARecordOrABatch() throws IOException {
        ByteBuffer bytes = new PackedBatch("none").add("key", "value", 0).bytes();
        int firstLength = DefaultRecordBatch.RECORD_BATCH_OVERHEAD + 4; // of the key
        ByteBuffer damaged = ByteBuffer.allocate(bytes.limit()).put(bytes).flip();
        damaged.put(firstLength, (byte) 0x7e);
        assertThatThrownBy(() -> next(reader(only(MemoryRecords.readableRecords(damaged)))))
                .isInstanceOf(CorruptRecordException.class);
        ByteBuffer missing = new PackedBatch("none").add("key", "value", 0).bytes();
        missing.putInt(DefaultRecordBatch.RECORDS_COUNT_OFFSET, 2);
        long sum = Crc32C.compute(missing, 21, missing.limit() - 21);
        missing.putInt(DefaultRecordBatch.CRC_OFFSET, (int) sum);
        BatchReader reader = reader(only(MemoryRecords.readableRecords(missing)));
        next(reader);
        assertThatThrownBy(reader::next).isInstanceOf(EOFException.class);
    }
}
