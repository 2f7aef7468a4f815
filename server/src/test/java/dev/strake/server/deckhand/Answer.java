package dev.strake.server.deckhand;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.text.DocumentReader;
import dev.strake.serdes.text.Limits;
import dev.strake.serdes.text.ReadDocument;
import dev.strake.serdes.text.TextFormat;
import dev.strake.serdes.text.UnreadableTextException;
import dev.strake.server.Installation;
import dev.strake.server.access.Token;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.stream.Stream;

/** A response of Deckhand's API, parsed as its clients do. */
record Answer(HttpResponse<String> response) {

    /** Sends a request like Deckhand's clients, which set the content type YAML on every request. */
    static Answer of(Installation strake, Token token, String method, String path, String body, String... headers)
            throws Exception {
        String[] all = Stream.concat(Stream.of("Content-Type", "application/x-yaml"), Stream.of(headers))
                .toArray(String[]::new);
        return new Answer(strake.send(token, method, path, body, all));
    }

    /** As {@link #of(Installation, Token, String, String, String, String...)}, and checks the status. */
    static Answer of(
            int status, Installation strake, Token token, String method, String path, String body, String... headers)
            throws Exception {
        Answer answer = of(strake, token, method, path, body, headers);
        assertThat(answer.status())
                .as(method + " " + path + ": " + answer.text())
                .isEqualTo(status);
        return answer;
    }

    int status() {
        return response.statusCode();
    }

    String text() {
        return response.body();
    }

    List<MapValue> documents() {
        return read(text());
    }

    static List<MapValue> read(String yaml) {
        try {
            return new DocumentReader(Limits.DEFAULT)
                    .readTrees(yaml.getBytes(UTF_8), TextFormat.YAML, "answer").stream()
                            .map(ReadDocument::value)
                            .map(MapValue.class::cast)
                            .toList();
        } catch (UnreadableTextException e) {
            throw new AssertionError(yaml, e);
        }
    }

    /** Returns a member of the first document, by a dotted path. */
    Value get(String path) {
        Value value = documents().get(0);
        for (String each : path.split("[.]", -1)) {
            value = ((MapValue) value).get(each);
        }
        return value;
    }

    String header(String name) {
        return response.headers().firstValue(name).orElse(null);
    }
}
