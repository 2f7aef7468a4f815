package dev.strake.server.deckhand;

import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.text.DocumentReader;
import dev.strake.serdes.text.Limits;
import dev.strake.serdes.text.ReadDocument;
import dev.strake.serdes.text.UnreadableTextException;
import dev.strake.server.deckhand.answers.Failures;
import dev.strake.server.deckhand.answers.YamlAnswers;
import dev.strake.server.http.RefusedException;
import dev.strake.server.http.Request;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Parses bodies of requests: a stream of YAML documents, each of which has to be a mapping. */
record Bodies(Limits limits) {

    /** Rejects a body whose Content-Type is not YAML. The Content-Type of an empty body is ignored. */
    static void check(Request request) {
        if (request.body().length == 0) {
            return;
        }
        String type = request.header("Content-Type")
                .orElseThrow(() -> new RefusedException(
                        400,
                        "HTTPMissingHeader",
                        "The Content-Type header is required for a body: " + YamlAnswers.TYPE));
        if (!type.replaceFirst(";.*", "").strip().toLowerCase(Locale.ROOT).equals(YamlAnswers.TYPE)) {
            throw new RefusedException(
                    415, "HTTPUnsupportedMediaType", "The Content-Type has to be " + YamlAnswers.TYPE + ".");
        }
    }

    /** Returns the documents of a body, in order. */
    List<MapValue> documents(Request request) {
        List<Value> all = read(request);
        String others = IntStream.range(0, all.size())
                .filter(i -> !(all.get(i) instanceof MapValue map) || map.isEmpty())
                .mapToObj(i -> Integer.toString(i + 1))
                .collect(Collectors.joining(", "));
        if (!others.isEmpty()) {
            throw bad("Expected a list of valid objects. Invalid entries found at following indexes: " + others + ".");
        }
        return all.stream().map(MapValue.class::cast).toList();
    }

    /** Returns the single mapping of a body, or an empty one for an empty body. */
    MapValue mapping(Request request) {
        List<Value> all = read(request);
        if (all.isEmpty()) {
            return MapValue.EMPTY;
        }
        if (all.size() > 1 || !(all.get(0) instanceof MapValue map)) {
            throw bad("The body has to be one mapping.");
        }
        return map;
    }

    private List<Value> read(Request request) {
        try {
            return new DocumentReader(limits)
                    .readStream(request.body(), "body").stream()
                            .map(ReadDocument::value)
                            .toList();
        } catch (UnreadableTextException e) {
            throw Failures.ofBody(List.of(e.problem()));
        }
    }

    static RefusedException bad(String message) {
        return new RefusedException(400, "HTTPBadRequest", message);
    }
}
