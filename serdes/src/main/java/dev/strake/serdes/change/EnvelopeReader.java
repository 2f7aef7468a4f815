package dev.strake.serdes.change;

import static dev.strake.serdes.HeaderNames.AS_DECKHAND;
import static dev.strake.serdes.HeaderNames.AUTHOR;
import static dev.strake.serdes.HeaderNames.BUCKET;
import static dev.strake.serdes.HeaderNames.CE_ID;
import static dev.strake.serdes.HeaderNames.CE_SOURCE;
import static dev.strake.serdes.HeaderNames.CE_TIME;
import static dev.strake.serdes.HeaderNames.CE_TYPE;
import static dev.strake.serdes.HeaderNames.CONTENT_TYPE;
import static dev.strake.serdes.HeaderNames.DRY_RUN;
import static dev.strake.serdes.HeaderNames.EXPECTED_REVISION;
import static dev.strake.serdes.HeaderNames.ID_TOPIC;
import static dev.strake.serdes.HeaderNames.MAX_REMOVALS;
import static dev.strake.serdes.HeaderNames.MESSAGE;
import static dev.strake.serdes.HeaderNames.ORIGINS;
import static dev.strake.serdes.HeaderNames.PART;
import static dev.strake.serdes.HeaderNames.TRACEPARENT;
import static java.util.stream.Collectors.joining;

import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.serdes.text.Limits;
import dev.strake.serdes.text.TextFormat;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * Reads the envelope of a change from the headers of its record. An invalid header is replaced by its default and
 * reported as a problem.
 */
final class EnvelopeReader {

    private static final int LONGEST_ID = ChangeEnvelope.Id.LONGEST;
    private static final int LONGEST_CARRIED = 1024;
    private static final int LONGEST_MESSAGE = 4096;
    private static final Pattern REVISION = Pattern.compile("[0-9]{1,18}"); // fits into a long
    private static final Pattern PART_OF_PARTS = Pattern.compile("([1-9][0-9]{0,8})/([1-9][0-9]{0,8})");

    private final Headers headers;
    private final Limits limits;
    private final List<Problem> problems = new ArrayList<>();

    EnvelopeReader(Headers headers, Limits limits) {
        this.headers = headers;
        this.limits = limits;
    }

    ChangeEnvelope.Reading read(String workspace, String topic, int partition, long offset, long timestamp) {
        String id = text(CE_ID, LONGEST_ID);
        String typeText = text(CE_TYPE, LONGEST_ID);
        ChangeType type = typeText == null
                ? ChangeType.BUCKET_PUT
                : ChangeType.of(typeText).orElse(null);
        if (type == null) {
            problem(
                    CE_TYPE,
                    "is not a known type of change",
                    "use one of "
                            + Arrays.stream(ChangeType.values())
                                    .map(ChangeType::text)
                                    .collect(joining(", ")));
        }
        ChangeEnvelope.Part part = part();
        String idTopic = id == null ? "" : text(ID_TOPIC, LONGEST_ID);
        if (part.of() > 1 && idTopic != null) {
            problem(CE_ID, "is missing, but is required for a change in parts", "give all parts the same ce_id");
        }
        ChangeEnvelope envelope = new ChangeEnvelope(
                workspace,
                new ChangeEnvelope.Id(id == null ? topic + "-" + partition + "-" + offset : id, idTopic),
                new ChangeEnvelope.Kind(type, typeText == null ? ChangeType.BUCKET_PUT.text() : typeText),
                bucket(),
                new ChangeEnvelope.Body(part, format()),
                new ChangeEnvelope.Said(
                        new Carried(
                                text(CE_SOURCE, LONGEST_CARRIED),
                                text(CE_TIME, LONGEST_ID),
                                text(TRACEPARENT, LONGEST_ID)),
                        new Terms(
                                isTrue(DRY_RUN, "to try the change"),
                                expectedRevision(),
                                removals(),
                                isTrue(AS_DECKHAND, "to replace the bucket as Deckhand does")),
                        new Note(text(AUTHOR, LONGEST_CARRIED), text(MESSAGE, LONGEST_MESSAGE))),
                new ChangeEnvelope.Arrival(topic + "-" + partition + "@" + offset, timestamp));
        return new ChangeEnvelope.Reading(envelope, origins(type), problems);
    }

    private String bucket() {
        String bucket = text(BUCKET, LONGEST_CARRIED);
        if (bucket != null && !WorkspaceKey.isName(bucket)) {
            problem(BUCKET, "is not a bucket name", "use " + WorkspaceKey.RULE);
        }
        return bucket == null || !WorkspaceKey.isName(bucket) ? "default" : bucket;
    }

    private boolean isTrue(String header, String purpose) {
        String text = text(header, LONGEST_ID);
        if (text != null && !text.equals("true") && !text.equals("false")) {
            problem(header, "is neither true nor false", "use true " + purpose + ", or remove it");
        }
        return "true".equals(text);
    }

    private Long expectedRevision() {
        String text = text(EXPECTED_REVISION, LONGEST_ID);
        if (text == null) {
            return null;
        }
        if (REVISION.matcher(text).matches()) {
            return Long.valueOf(text);
        }
        problem(EXPECTED_REVISION, "is not a revision number", "use the number of the head that you saw");
        return null;
    }

    private RemovalLimit removals() {
        String text = text(MAX_REMOVALS, LONGEST_ID);
        try {
            return text == null ? RemovalLimit.NONE : RemovalLimit.parse(text);
        } catch (IllegalArgumentException e) {
            problem(MAX_REMOVALS, "is not a limit of removals", "use " + RemovalLimit.RULE);
            return RemovalLimit.NONE;
        }
    }

    private byte[] origins(ChangeType type) {
        String text = text(ORIGINS, OriginsHeader.LONGEST_HEADER);
        if (text == null) {
            return null;
        }
        if (type != null && !type.putsDocuments()) {
            problem(ORIGINS, "is only for changes that put documents", "remove it");
            return null;
        }
        try {
            OriginsHeader.read(text, limits.change().documents());
            return headers.lastHeader(ORIGINS).value();
        } catch (IllegalArgumentException e) {
            problem(ORIGINS, e.getMessage(), "give an array with one text for each document of the record");
            return null;
        }
    }

    private TextFormat format() {
        String contentType = text(CONTENT_TYPE, LONGEST_ID);
        if (contentType == null) {
            return TextFormat.DETECTED;
        }
        return TextFormat.ofContentType(contentType).orElseGet(() -> {
            problem(CONTENT_TYPE, "is neither YAML nor JSON in UTF-8", "use application/x-yaml or application/json");
            return TextFormat.DETECTED;
        });
    }

    private ChangeEnvelope.Part part() {
        String text = text(PART, LONGEST_ID);
        if (text == null) {
            return ChangeEnvelope.Part.WHOLE;
        }
        Matcher matcher = PART_OF_PARTS.matcher(text);
        if (matcher.matches()) {
            int part = Integer.parseInt(matcher.group(1));
            int parts = Integer.parseInt(matcher.group(2));
            if (parts > limits.change().parts()) {
                problems.add(Problem.of(
                        ProblemCode.LIMIT_EXCEEDED,
                        "the header part has more than " + limits.change().parts() + " parts",
                        "split the change into fewer parts"));
                return ChangeEnvelope.Part.WHOLE;
            }
            if (part <= parts) {
                return new ChangeEnvelope.Part(part, parts);
            }
        }
        problem(PART, "is not of the form k/n with k from 1 to n", "use 1/3, 2/3 and 3/3 for three parts");
        return ChangeEnvelope.Part.WHOLE;
    }

    /** Returns the text of a header; null if it is absent or invalid. The last of repeated headers counts. */
    private String text(String name, int longest) {
        Header header = headers.lastHeader(name);
        if (header == null || header.value() == null) {
            return null;
        }
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(header.value()))
                    .toString();
            if (text.isEmpty()) {
                problem(name, "is empty", "remove it, or give it a value");
            } else if (text.length() > longest) {
                problem(name, "is longer than " + longest + " characters", "shorten it");
            } else {
                return text;
            }
        } catch (CharacterCodingException e) {
            problem(name, "is not UTF-8 text", "encode it as UTF-8");
        }
        return null;
    }

    private void problem(String header, String what, String hint) {
        problems.add(Problem.of(ProblemCode.INVALID_CHANGE, "the header " + header + " " + what, hint));
    }
}
