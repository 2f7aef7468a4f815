package dev.strake.serdes;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * Computes the size of records in bytes, before compression. This program writes no record larger than {@link #MOST}. A
 * record of that size fits into a batch with any codec, so every accepted change can also be published.
 *
 * <p>The broker may accept larger records from publishers. So every record that is forwarded, truncated or built from
 * such a record is measured first.
 */
public final class RecordSize {

    /** The {@code max.message.bytes} of each topic. Kafka applies the limit to the compressed batch. */
    public static final int TOPIC_TAKES = 16 << 20;

    /** The largest record that is written, in bytes. The reserve is for codecs that enlarge incompressible data. */
    public static final int MOST = TOPIC_TAKES - (64 << 10);

    /** The overhead of the batch around the record, and of the lengths in front of its parts. */
    private static final int FRAMING = 128;

    /** The two lengths of a header. */
    private static final int HEADER_FRAMING = 10;

    private RecordSize() {}

    /** Returns the size of a record; key and value may be null. */
    public static long of(byte[] key, byte[] value, Headers headers) {
        return FRAMING + length(key) + length(value) + of(headers);
    }

    public static long of(Iterable<Header> headers) {
        long sum = 0;
        for (Header header : headers) {
            sum += of(header);
        }
        return sum;
    }

    public static long of(Header header) {
        return HEADER_FRAMING + header.key().getBytes(StandardCharsets.UTF_8).length + length(header.value());
    }

    private static long length(byte[] bytes) {
        return bytes == null ? 0 : bytes.length;
    }
}
