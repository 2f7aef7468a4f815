package dev.strake.server.events;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Optional;

/**
 * A place between two changes, from which events can go on, at any instance. Clients get it as an opaque id:
 *
 * <pre>
 *  kind of place   1 byte     1 of one workspace, 2 of all
 *  topics          4 bytes    of the ids of both topics: offsets in others mean something else
 *  outcomes        varint     offset of the next outcome; of all workspaces, one for each partition
 *  rendered        varint     offset of the next rendered document; of one workspace only
 * </pre>
 *
 * @param topics what tells topics from others of the same names
 * @param outcomes offsets by partition; those that are of no interest are 0
 * @param rendered the same of rendered documents
 */
@SuppressWarnings("ArrayRecordComponent") // not compared
record Place(int topics, long[] outcomes, long[] rendered) {

    /** A place that no topics have. */
    static final Place NOWHERE = new Place(0, new long[0], new long[0]);

    private static final int OF_ONE = 1;
    private static final int OF_ALL = 2;

    /** The longest id: requests have 16 KiB for all of their headers. */
    private static final int MOST_BYTES = 6_000;

    private static final int LONGEST_VARINT = 9;

    /** The place in one partition, as an id. */
    String id(int partition) {
        ByteBuffer bytes = ByteBuffer.allocate(5 + 2 * LONGEST_VARINT);
        bytes.put((byte) OF_ONE).putInt(topics);
        put(bytes, outcomes[partition]);
        put(bytes, rendered[partition]);
        return text(bytes);
    }

    /** The place among the outcomes of all partitions, as an id; empty if there are so many that it would be too long. */
    Optional<String> id() {
        ByteBuffer bytes = ByteBuffer.allocate(5 + outcomes.length * LONGEST_VARINT);
        bytes.put((byte) OF_ALL).putInt(topics);
        for (long each : outcomes) {
            put(bytes, each);
        }
        return bytes.position() > MOST_BYTES ? Optional.empty() : Optional.of(text(bytes));
    }

    /**
     * The place that an id names.
     *
     * @param partition of the workspace; -1 for all
     * @param partitions how many there are
     * @return empty if it is one of another number of partitions
     * @throws IllegalArgumentException if it is no id, or that of a place of another kind
     */
    static Optional<Place> read(String id, int partition, int partitions) {
        ByteBuffer bytes = decoded(id);
        try {
            if (bytes.get() != (partition < 0 ? OF_ALL : OF_ONE)) {
                throw unknown(null);
            }
            Place place = new Place(bytes.getInt(), new long[partitions], new long[partitions]);
            if (partition >= 0) {
                place.outcomes[partition] = take(bytes);
                place.rendered[partition] = take(bytes);
            } else {
                for (int i = 0; i < partitions; i++) {
                    if (!bytes.hasRemaining()) {
                        return Optional.empty();
                    }
                    place.outcomes[i] = take(bytes);
                }
            }
            return bytes.hasRemaining() ? Optional.empty() : Optional.of(place);
        } catch (BufferUnderflowException e) {
            throw unknown(e);
        }
    }

    private static ByteBuffer decoded(String id) {
        try {
            return ByteBuffer.wrap(Base64.getUrlDecoder().decode(id));
        } catch (IllegalArgumentException e) {
            throw unknown(e);
        }
    }

    private static IllegalArgumentException unknown(Exception cause) {
        return new IllegalArgumentException(
                "Last-Event-ID, or the parameter after, has to be an id that events of the same path came with.",
                cause);
    }

    private static void put(ByteBuffer bytes, long number) {
        long left = number;
        while (left > 0x7f) {
            bytes.put((byte) ((left & 0x7f) | 0x80));
            left >>>= 7;
        }
        bytes.put((byte) left);
    }

    private static long take(ByteBuffer bytes) {
        long number = 0;
        for (int i = 0; i < LONGEST_VARINT; i++) {
            byte next = bytes.get();
            number |= (long) (next & 0x7f) << (7 * i);
            if (next >= 0) {
                return number;
            }
        }
        throw unknown(null);
    }

    private static String text(ByteBuffer bytes) {
        byte[] written = new byte[bytes.position()];
        bytes.flip().get(written);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(written);
    }
}
