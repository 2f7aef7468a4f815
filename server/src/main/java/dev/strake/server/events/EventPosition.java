package dev.strake.server.events;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * A place between two changes, from which events can go on, at any instance. Clients get it as an opaque id: numbers, base
 * 36, with dots between them.
 *
 * <pre>
 *  of one workspace   1.TOPICS.OUTCOME.RENDERED     offsets of the next outcome and of the next rendered document
 *  of all             2.TOPICS.OUTCOME.OUTCOME…     offset of the next outcome in each partition
 * </pre>
 *
 * @param topics tells topics from others of the same names: offsets in others mean something else
 * @param outcomes offsets by partition; those that are of no interest are 0
 * @param rendered the same of rendered documents
 */
@SuppressWarnings("ArrayRecordComponent") // not compared
record EventPosition(int topics, long[] outcomes, long[] rendered) {

    /** A place that no topics have. */
    static final EventPosition NOWHERE = new EventPosition(0, new long[0], new long[0]);

    private static final int OF_ONE = 1;
    private static final int OF_ALL = 2;

    /** The longest id: requests have 16 KiB for all of their headers. */
    private static final int LONGEST_ID = 8_000;

    String id(int partition) {
        return text(OF_ONE, LongStream.of(outcomes[partition], rendered[partition]));
    }

    /** The place among the outcomes of all partitions, as an id; empty if there are so many that it would be too long. */
    Optional<String> id() {
        return Optional.of(text(OF_ALL, Arrays.stream(outcomes))).filter(id -> id.length() <= LONGEST_ID);
    }

    private String text(int kind, LongStream offsets) {
        StringBuilder text = new StringBuilder().append(kind).append('.').append(number(topics & 0xffff_ffffL));
        offsets.forEach(offset -> text.append('.').append(number(offset)));
        return text.toString();
    }

    private static String number(long number) {
        return Long.toString(number, Character.MAX_RADIX);
    }

    /**
     * The place that an id names.
     *
     * @param partition of the workspace; -1 for all
     * @param partitions how many there are
     * @return empty if it is one of another number of partitions
     * @throws IllegalArgumentException if it is no id, or that of a place of another kind
     */
    static Optional<EventPosition> read(String id, int partition, int partitions) {
        long[] numbers = numbers(id);
        boolean isOfThisPath = partition < 0
                ? numbers.length > 2 && numbers[0] == OF_ALL
                : numbers.length == 4 && numbers[0] == OF_ONE;
        if (!isOfThisPath) {
            throw unknown(null);
        }
        EventPosition place = new EventPosition((int) numbers[1], new long[partitions], new long[partitions]);
        if (partition >= 0) {
            place.outcomes[partition] = numbers[2];
            place.rendered[partition] = numbers[3];
        } else if (numbers.length == 2 + partitions) {
            System.arraycopy(numbers, 2, place.outcomes, 0, partitions);
        } else {
            return Optional.empty();
        }
        return Optional.of(place);
    }

    private static long[] numbers(String id) {
        if (!id.matches("[0-9a-z]+([.][0-9a-z]+)*")) {
            throw unknown(null);
        }
        try {
            return Arrays.stream(id.split("[.]"))
                    .mapToLong(number -> Long.parseLong(number, Character.MAX_RADIX))
                    .toArray();
        } catch (NumberFormatException e) {
            throw unknown(e);
        }
    }

    private static IllegalArgumentException unknown(Exception cause) {
        return new IllegalArgumentException(
                "Last-Event-ID, or the parameter after, has to be an id that events of the same path came with.",
                cause);
    }

    EventPosition copy() {
        return new EventPosition(topics, outcomes.clone(), rendered.clone());
    }

    /** Moves behind an event, if that ends its change. */
    void pass(Event event) {
        if (event.kind() == Event.Type.OUTCOME) {
            outcomes[event.partition()] = event.outcome() + 1;
            rendered[event.partition()] = event.rendered();
        }
    }
}
