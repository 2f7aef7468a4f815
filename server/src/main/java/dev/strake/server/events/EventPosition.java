package dev.strake.server.events;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * A position between two changes from which any instance can resume a stream of events. Clients see it as an opaque id:
 * numbers in base 36, separated by dots.
 *
 * <pre>
 *  of one workspace   1.TOPICS.OUTCOME.RENDERED     offsets of the next outcome and of the next rendered document
 *  of all             2.TOPICS.OUTCOME.OUTCOME…     offset of the next outcome in each partition
 * </pre>
 *
 * @param topics identifies the topics; offsets of other topics with the same names are not comparable
 * @param outcomes offsets by partition; 0 for partitions of no interest
 * @param rendered the same for rendered documents
 */
@SuppressWarnings("ArrayRecordComponent") // not compared
record EventPosition(int topics, long[] outcomes, long[] rendered) {

    /** A position that is invalid for all topics. */
    static final EventPosition NOWHERE = new EventPosition(0, new long[0], new long[0]);

    private static final int OF_ONE = 1;
    private static final int OF_ALL = 2;

    /** The longest id: a request may have 16 KiB of headers. */
    private static final int LONGEST_ID = 8_000;

    String id(int partition) {
        return text(OF_ONE, LongStream.of(outcomes[partition], rendered[partition]));
    }

    /** Returns the id of the position in all partitions; empty if it would be too long for so many. */
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
     * Parses an id.
     *
     * @param partition of the workspace; -1 for all
     * @param partitions the number of partitions
     * @return empty if the id has another number of partitions
     * @throws IllegalArgumentException if the id is malformed, or of another kind of stream
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
                "Last-Event-ID, or the parameter after, has to be the id of an event of the same path.", cause);
    }

    EventPosition copy() {
        return new EventPosition(topics, outcomes.clone(), rendered.clone());
    }

    /** Moves behind an event, if that event completes its change. */
    void pass(Event event) {
        if (event.kind() == Event.Type.OUTCOME) {
            outcomes[event.partition()] = event.outcome() + 1;
            rendered[event.partition()] = event.rendered();
        }
    }
}
