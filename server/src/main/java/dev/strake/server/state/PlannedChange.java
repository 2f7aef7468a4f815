package dev.strake.server.state;

import static java.util.stream.Collectors.joining;

import dev.strake.engine.problem.Problem;
import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.change.ChangeEnvelope;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.text.Limits;
import dev.strake.server.http.Request;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** Reads the envelope of a change that shall only be tried from a request: as that of a record with the same headers. */
final class PlannedChange {

    private PlannedChange() {}

    /** @throws IllegalArgumentException if something in the request is wrong */
    static ChangeEnvelope of(Request request, Limits limits) {
        String workspace = request.workspace();
        Headers headers = new RecordHeaders();
        add(headers, HeaderNames.CE_TYPE, request.parameter("type"));
        add(headers, HeaderNames.BUCKET, request.parameter("bucket"));
        add(headers, HeaderNames.EXPECTED_REVISION, request.parameter("expected-revision"));
        add(headers, HeaderNames.MAX_REMOVALS, request.parameter("max-removals"));
        add(headers, HeaderNames.CONTENT_TYPE, request.contentType());
        ChangeEnvelope.Reading reading =
                ChangeEnvelope.read(workspace, headers, "plan", 0, 0, System.currentTimeMillis(), limits);
        if (!reading.problems().isEmpty()) {
            throw new IllegalArgumentException(reading.problems().stream()
                    .map(Problem::toString)
                    .map(problem -> problem + ".")
                    .collect(joining(" ")));
        }
        ChangeType type = reading.envelope().type();
        if (type == ChangeType.TAG || type == ChangeType.UNTAG) {
            throw new IllegalArgumentException("A tag changes no document, so there is nothing to try.");
        }
        boolean isBound =
                type == ChangeType.ROLLBACK || reading.envelope().terms().expectedRevision() != null;
        if (isBound && request.parameter("against").isPresent()) {
            throw new IllegalArgumentException(
                    "A rollback, and a change that expects a head, are tried on the head alone.");
        }
        return reading.envelope();
    }

    private static void add(Headers headers, String name, Optional<String> value) {
        value.ifPresent(text -> headers.add(name, text.getBytes(StandardCharsets.UTF_8)));
    }
}
