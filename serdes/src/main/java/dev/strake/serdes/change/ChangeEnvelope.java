package dev.strake.serdes.change;

import static dev.strake.serdes.HeaderNames.AS_DECKHAND;
import static dev.strake.serdes.HeaderNames.BUCKET;
import static dev.strake.serdes.HeaderNames.CE_TYPE;
import static dev.strake.serdes.HeaderNames.CONTENT_TYPE;
import static dev.strake.serdes.HeaderNames.DRY_RUN;
import static dev.strake.serdes.HeaderNames.EXPECTED_REVISION;
import static dev.strake.serdes.HeaderNames.MAX_REMOVALS;

import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.serdes.text.Limits;
import dev.strake.serdes.text.TextFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.common.header.Headers;

/**
 * The key and headers of a change's record: enough to answer the change, to wait for its other parts and to read its
 * body.
 *
 * @param id identifies the change
 * @param kind what the change does
 * @param body how the value has to be read
 * @param said what the author says about the change
 * @param arrival position and time of the record
 */
public record ChangeEnvelope(String workspace, Id id, Kind kind, String bucket, Body body, Said said, Arrival arrival) {

    /**
     * The part of its change that a record contains.
     *
     * @param number counted from 1
     * @param of the number of parts of the change
     */
    public record Part(int number, int of) {

        /** The whole change in one record. */
        public static final Part WHOLE = new Part(1, 1);
    }

    /**
     * The identity of a change, used to detect duplicates.
     *
     * @param text the id given by the author, or else topic, partition and offset joined by dashes
     * @param topic null if the author gave the id; otherwise the id of the topic to which the position in the text
     *     refers, empty for the topic that the record was read from
     */
    public record Id(String text, String topic) {

        /** The maximum number of characters of an id. */
        public static final int LONGEST = 256;
    }

    /**
     * What a change does.
     *
     * @param type null if this program does not know the type
     * @param text the type as the author wrote it
     */
    public record Kind(ChangeType type, String text) {}

    /** How the value of a record has to be read. */
    public record Body(Part part, TextFormat format) {}

    /**
     * What an author says in headers.
     *
     * @param terms the conditions of the change
     * @param note who made it, and why
     */
    public record Said(Carried carried, Terms terms, Note note) {}

    /**
     * Position and time of a record.
     *
     * @param input its position, {@code topic-partition@offset}
     * @param timestamp in milliseconds
     */
    public record Arrival(String input, long timestamp) {}

    /**
     * An envelope, always complete enough to be answered, and the problems of the headers.
     *
     * @param origins the header {@code origins}; null if the record has none, or if it is unreadable
     */
    @SuppressWarnings("ArrayRecordComponent") // not compared
    public record Reading(ChangeEnvelope envelope, byte[] origins, List<Problem> problems) {

        public Reading {
            problems = List.copyOf(problems);
        }
    }

    /**
     * Reads the envelope of a record. An invalid header is replaced by its default and reported as a problem.
     *
     * @param workspace the record's key
     */
    public static Reading read(
            String workspace,
            Headers headers,
            String topic,
            int partition,
            long offset,
            long timestamp,
            Limits limits) {
        return new EnvelopeReader(headers, limits).read(workspace, topic, partition, offset, timestamp);
    }

    public String changeId() {
        return id.text();
    }

    public String idTopic() {
        return id.topic();
    }

    public ChangeType type() {
        return kind.type();
    }

    public String typeText() {
        return kind.text();
    }

    public Part part() {
        return body.part();
    }

    public TextFormat format() {
        return body.format();
    }

    public Carried carried() {
        return said.carried();
    }

    public Terms terms() {
        return said.terms();
    }

    public Note note() {
        return said.note();
    }

    public String input() {
        return arrival.input();
    }

    public long timestamp() {
        return arrival.timestamp();
    }

    public ChangeEnvelope with(Terms terms, Note note) {
        return new ChangeEnvelope(workspace, id, kind, bucket, body, new Said(said.carried(), terms, note), arrival);
    }

    /** Returns why this part cannot belong to the same change as an earlier part; empty if it can. */
    public List<Problem> disagreements(ChangeEnvelope earlier) {
        List<Problem> problems = new ArrayList<>();
        disagreement(problems, CE_TYPE, typeText().equals(earlier.typeText()));
        disagreement(problems, BUCKET, bucket.equals(earlier.bucket));
        disagreement(problems, CONTENT_TYPE, format() == earlier.format());
        disagreement(problems, "number of parts", part().of() == earlier.part().of());
        disagreement(problems, DRY_RUN, terms().dryRun() == earlier.terms().dryRun());
        disagreement(
                problems,
                EXPECTED_REVISION,
                Objects.equals(terms().expectedRevision(), earlier.terms().expectedRevision()));
        disagreement(
                problems,
                MAX_REMOVALS,
                terms().removals().equals(earlier.terms().removals()));
        disagreement(
                problems, AS_DECKHAND, terms().asDeckhand() == earlier.terms().asDeckhand());
        return problems;
    }

    private static void disagreement(List<Problem> problems, String what, boolean agrees) {
        if (!agrees) {
            problems.add(Problem.of(
                    ProblemCode.INVALID_CHANGE,
                    "parts of one change differ in their " + what,
                    "publish all parts again, with a new ce_id"));
        }
    }
}
