package dev.strake.serdes;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * How large a record is, in bytes, before a codec makes it smaller. No record that this program writes is larger than
 * {@link #MOST}: a record that fits unpacked fits with any codec, so whatever is accepted can also be published.
 *
 * <p>What a publisher sends is as large as the broker lets it be. So every record that is passed on, cut or built out of it
 * is measured here first.
 */
public final class RecordSize {

    /** What each topic takes, its {@code max.message.bytes}. Kafka measures a batch, as it is packed. */
    public static final int TOPIC_TAKES = 16 << 20;

    /** The most bytes of a record that is written. What is left is for codecs that find nothing to pack, and add a little. */
    public static final int MOST = TOPIC_TAKES - (64 << 10);

    /** Of the batch around the record, and of the lengths in front of its parts. */
    private static final int FRAMING = 128;

    /** Of the two lengths of a header. */
    private static final int HEADER_FRAMING = 10;

    private RecordSize() {}

    /** The bytes of a record; key and value may be null. */
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
