package dev.strake.server.pipeline;

import dev.strake.serdes.Cut;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.BufferSupplier;

/**
 * Reads the records of one batch as a stream. Kafka's own reader takes each record onto the heap as a whole, however large it
 * unpacks; this one takes no more of it than a {@link PollBudget} keeps, and of what it passes over nothing.
 *
 * <p>A record of version 2, once it is unpacked. Numbers are varints with zigzag; a length of -1 stands for null:
 *
 * <pre>
 *  length │ attributes  timestamp  offset │ length  key │ length  value │ number of headers │ length  name  length  value │ ...
 *         │ 1 byte      less those of the │             │               │                   │
 *         │             batch             │             │               │                   │
 *         └─────────────────────────── so many bytes as the first length says ──────────────────────────────────────────────
 * </pre>
 */
final class BatchReader implements Closeable {

    /** What a header takes on the heap beside its bytes, so that many empty ones count for something. */
    private static final int HEADER_OVERHEAD = 64;

    /** What is kept of headers that are beyond any use. Those that mean something to us have some kilobytes. */
    private static final int KEPT_OF_HEADERS = 64 << 10;

    /**
     * Bytes that a byte of a header takes on the heap at most, where Kafka reads it. An empty header has two bytes; Kafka's
     * reader makes an object and two buffers of it, of some 150 bytes.
     */
    static final int HEAP_OF_HEADER_BYTE = 80;

    /**
     * Snappy unpacks a block as a whole, even where nothing of it is kept. Producers write blocks of 32 KiB, or one of a whole
     * batch. A topic takes batches in which one has 300 MB.
     */
    private static final long LONGEST_BLOCK = 64 << 20;

    private static final int LONGEST_VARINT = 5;
    private static final int LONGEST_VARLONG = 10;

    private final TopicPartition partition;
    private final DefaultRecordBatch batch;
    private final long longestBlock;
    private final InputStream in;
    private int records;
    private long unpacked;
    private int bytes;
    private int left;
    private boolean hasContent;
    private long timestamp;
    private long offset;

    /**
     * Begins before the first record.
     *
     * @param buffers from which the codec takes what it works with
     * @throws org.apache.kafka.common.errors.CorruptRecordException if the batch is not what its producer wrote
     */
    BatchReader(TopicPartition partition, DefaultRecordBatch batch, BufferSupplier buffers) {
        batch.ensureValid();
        this.partition = partition;
        this.batch = batch;
        this.records = batch.countOrNull();
        this.longestBlock = batch.compressionType() == CompressionType.SNAPPY
                ? UnpackedBound.of(batch).held()
                : 0;
        this.in = isRead() ? batch.recordInputStream(buffers) : InputStream.nullInputStream();
    }

    private boolean isRead() {
        return longestBlock <= LONGEST_BLOCK;
    }

    /** Goes to the next record, past what was not read of the last one. Returns false behind the last record. */
    boolean next() throws IOException {
        if (records == 0) {
            return false;
        }
        passOver(left);
        records--;
        if (!isRead()) {
            timestamp = batch.maxTimestamp();
            offset = batch.lastOffset() - records;
            return true;
        }
        left = LONGEST_VARINT;
        bytes = notNull((int) varint(LONGEST_VARINT));
        left = bytes;
        readByte(); // attributes, which have no meaning yet
        long afterBatch = varint(LONGEST_VARLONG);
        timestamp = batch.timestampType() == TimestampType.LOG_APPEND_TIME
                ? batch.maxTimestamp()
                : batch.baseTimestamp() + afterBatch;
        offset = batch.baseOffset() + (int) varint(LONGEST_VARINT);
        return true;
    }

    /** Of the record that the reader is at. */
    long offset() {
        return offset;
    }

    /** How many bytes were unpacked so far. */
    long unpacked() {
        return unpacked;
    }

    /** How many bytes the record has. */
    int bytes() {
        return bytes;
    }

    /**
     * The most heap that the record would take if Kafka read it, as if all that is neither key nor value were empty headers.
     * Nothing of it is read behind the length of its value.
     */
    long mostHeap() throws IOException {
        int key = lengthOrNull();
        passOver(Math.max(0, key));
        int value = lengthOrNull();
        hasContent = key >= 0 || value >= 0;
        return bytes + (long) (left - Math.max(0, value)) * HEAP_OF_HEADER_BYTE;
    }

    /** Whether the record has a key or a value. It is known once its heap was asked for. */
    boolean hasContent() {
        return hasContent;
    }

    private long weight(int headers) {
        return bytes + (long) headers * HEADER_OVERHEAD;
    }

    /**
     * Reads the record, and cuts what the budget does not keep. Of a record whose batch cannot be unpacked within bounds nothing is left
     * but a header that tells how much that is.
     */
    ConsumerRecord<byte[], byte[]> read(PollBudget budget) throws IOException {
        if (!isRead()) {
            return record(null, null, new RecordHeaders(List.of(Cut.ofBlock(longestBlock))));
        }
        List<Header> cuts = new ArrayList<>();
        byte[] key = field(budget.key(), cuts);
        byte[] value = field(budget.value(), cuts);
        int count = length();
        RecordHeaders headers = headers(count, weight(count) > budget.value().longest(), cuts);
        cuts.forEach(headers::add);
        budget.count(weight(count));
        return record(key, value, headers);
    }

    private ConsumerRecord<byte[], byte[]> record(byte[] key, byte[] value, RecordHeaders headers) {
        return new ConsumerRecord<>(
                partition.topic(),
                partition.partition(),
                offset,
                timestamp,
                batch.timestampType(),
                key == null ? ConsumerRecord.NULL_SIZE : key.length,
                value == null ? ConsumerRecord.NULL_SIZE : value.length,
                key,
                value,
                headers,
                leaderEpoch());
    }

    /** The epoch that goes with offsets of this batch. */
    Optional<Integer> leaderEpoch() {
        int epoch = batch.partitionLeaderEpoch();
        return epoch == RecordBatch.NO_PARTITION_LEADER_EPOCH ? Optional.empty() : Optional.of(epoch);
    }

    private byte[] field(PollBudget.Limit limit, List<Header> cuts) throws IOException {
        int length = lengthOrNull();
        if (length <= limit.longest()) {
            return length < 0 ? null : take(length);
        }
        byte[] kept = take(limit.kept());
        passOver(length - limit.kept());
        cuts.add(new Cut(limit.header(), length));
        return kept;
    }

    /* Each header is left out that finds no room. So small ones stay, wherever they are among large ones. */
    private RecordHeaders headers(int count, boolean areTooMuch, List<Header> cuts) throws IOException {
        long room = areTooMuch ? KEPT_OF_HEADERS : Long.MAX_VALUE;
        RecordHeaders headers = new RecordHeaders();
        int dropped = 0;
        for (int i = 0; i < count; i++) {
            int nameLength = length();
            boolean nameFits = (long) nameLength + HEADER_OVERHEAD <= room;
            byte[] name = nameFits ? take(nameLength) : null;
            passOver(nameFits ? 0 : nameLength);
            int length = lengthOrNull();
            long taken = (long) nameLength + Math.max(0, length) + HEADER_OVERHEAD;
            if (nameFits && taken <= room) {
                byte[] value = length < 0 ? null : take(length);
                headers.add(new RecordHeader(new String(name, StandardCharsets.UTF_8), value));
                room -= taken;
            } else {
                passOver(Math.max(0, length));
                dropped++;
            }
        }
        if (dropped > 0) {
            cuts.add(Cut.ofHeaders(dropped, bytes));
        }
        return headers;
    }

    private int length() throws IOException {
        return notNull(lengthOrNull());
    }

    private int notNull(int length) {
        if (length < 0) {
            throw new InvalidRecordException("a length is missing in a batch of " + partition);
        }
        return length;
    }

    private int lengthOrNull() throws IOException {
        int length = (int) varint(LONGEST_VARINT);
        if (length > left) {
            throw new InvalidRecordException("a length is beyond its record in a batch of " + partition);
        }
        return length;
    }

    private long varint(int longest) throws IOException {
        long number = 0;
        for (int i = 0; i < longest; i++) {
            int each = readByte();
            number |= (long) (each & 0x7f) << (7 * i);
            if ((each & 0x80) == 0) {
                return (number >>> 1) ^ -(number & 1);
            }
        }
        throw new InvalidRecordException("a number has no end in a batch of " + partition);
    }

    private int readByte() throws IOException {
        int each = left > 0 ? in.read() : -1;
        if (each < 0) {
            throw new EOFException("a record ends early in a batch of " + partition);
        }
        left--;
        unpacked++;
        return each;
    }

    private byte[] take(int length) throws IOException {
        byte[] taken = new byte[length];
        if (in.readNBytes(taken, 0, length) < length) {
            throw new EOFException("a record ends early in a batch of " + partition);
        }
        count(length);
        return taken;
    }

    private void passOver(int length) throws IOException {
        in.skipNBytes(length);
        count(length);
    }

    private void count(int length) {
        left -= length;
        unpacked += length;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
