package dev.strake.server.pipeline;

import dev.strake.serdes.Cut;
import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.RecordSize;
import java.nio.ByteBuffer;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.utils.Utils;

/**
 * Counts what a consumer holds unpacked, and ends a poll that holds enough. A record of some kilobytes may unpack to many
 * megabytes, so neither the size of a fetch nor the number of records bounds what a poll takes on the heap.
 *
 * <p>Kafka's consumer unpacks a batch record by record, and gives each key and value to the deserializers of this class. If
 * one of them refuses a record, the consumer hands out the records before it, keeps this one unpacked, and offers it
 * again at the next poll: nothing is lost, fetched or unpacked twice. The first record of a poll is never refused where
 * nothing else is held, so each poll makes progress.
 *
 * <p>A poll of changes also ends after a turn of some megabytes. So other partitions need not wait for all large changes of one.
 *
 * <p>A key or value beyond any use is cut while it is read; a {@link Cut} in the headers says so.
 */
final class PollBudget {

    /** Thrown for a record that has to wait. Nobody reads where it was thrown. */
    private static final class Refusal extends SerializationException {

        private static final long serialVersionUID = 1L;

        Refusal() {
            super("enough is held unpacked; the record is offered again");
        }

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }

    /**
     * How much is kept of a key or a value.
     *
     * @param header that tells of a cut
     * @param longest bytes that are left as they are
     * @param kept bytes of what is longer
     */
    record Limit(String header, int longest, int kept) {}

    /** A workspace has 128 characters; this key is somebody's mistake, of which the beginning will do. */
    private static final int LONGEST_KEY = 64 << 10;

    /** What a poll hands out unpacked before it is the turn of other partitions. */
    private static final long TURN_BYTES = 2 << 20;

    private final long most;
    private final long mostUnpacked;
    private final long turn;
    private final Limit key;
    private final Limit value;
    private long held;
    private long left;
    private boolean refused;
    private Headers current;

    private PollBudget(long most, long mostUnpacked, long turn, int longestKey, long longestValue) {
        this.most = most;
        this.mostUnpacked = mostUnpacked;
        this.turn = turn;
        this.key = new Limit(HeaderNames.UNCUT_KEY_BYTES, longestKey, LONGEST_KEY);
        this.value = new Limit(
                HeaderNames.UNCUT_VALUE_BYTES, (int) Math.min(Integer.MAX_VALUE, longestValue), RecordSize.MOST);
    }

    /**
     * For a consumer of changes.
     *
     * @param most bytes from which on no further record is taken
     * @param mostUnpacked bytes of what was fetched that Kafka's consumer may take on the heap at once
     * @param changeBytes that a change may have; a value beyond that is only told of, and may be cut
     */
    static PollBudget ofChanges(long most, long mostUnpacked, long changeBytes) {
        return new PollBudget(
                most, mostUnpacked, TURN_BYTES, LONGEST_KEY, Math.max(changeBytes, RecordSize.TOPIC_TAKES));
    }

    /** For a consumer of changelogs, which hold nothing that this program did not write: nothing of them is ever cut. */
    static PollBudget ofChangelogs(long most) {
        return new PollBudget(most, Long.MAX_VALUE, Long.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE);
    }

    /**
     * A poll begins.
     *
     * @param waiting bytes of records that were handed out before, and still wait to be processed
     */
    void begin(long waiting) {
        held = waiting;
        left = turn;
        refused = false;
        current = null;
    }

    /** Whether a record had to wait since the poll began. */
    boolean hasRefused() {
        return refused;
    }

    /** Whether a poll failed only because nothing more may be held. */
    static boolean isRefusal(Throwable failure) {
        return failure.getCause() instanceof Refusal;
    }

    Deserializer<byte[]> keys() {
        return new Counting(key);
    }

    Deserializer<byte[]> values() {
        return new Counting(value);
    }

    Limit key() {
        return key;
    }

    Limit value() {
        return value;
    }

    /** Bytes of what was fetched that Kafka's consumer may take on the heap at once. */
    long mostUnpacked() {
        return mostUnpacked;
    }

    /** Whether the poll may take one more record. */
    boolean isOpen() {
        return held < most && left > 0;
    }

    /* The key comes before the value, with the same headers. A record is refused as a whole, or not at all. */
    private void take(Headers headers, int bytes) {
        if (headers != current) {
            if (!isOpen()) {
                refused = true;
                throw new Refusal();
            }
            current = headers;
            count(RecordSize.of(headers));
        }
        count(bytes);
    }

    /** The poll has taken so much. */
    void count(long bytes) {
        held += bytes;
        left -= bytes;
    }

    private final class Counting implements Deserializer<byte[]> {

        private final Limit limit;

        Counting(Limit limit) {
            this.limit = limit;
        }

        @Override
        public byte[] deserialize(String topic, byte[] data) {
            return data;
        }

        @Override
        public byte[] deserialize(String topic, Headers headers, ByteBuffer data) {
            if (data == null) {
                return null;
            }
            int bytes = data.remaining();
            take(headers, Math.min(bytes, limit.longest()));
            if (bytes <= limit.longest()) {
                return Utils.toArray(data);
            }
            headers.add(new Cut(limit.header(), bytes));
            return Utils.toArray(data, limit.kept());
        }
    }
}
