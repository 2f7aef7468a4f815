package dev.strake.server.deckhand;

import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.text.JsonValues;
import dev.strake.server.http.Response;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;

/** Answers in YAML: a mapping is one document, a list is a stream of documents, and an empty list is an empty body. */
final class YamlAnswers {

    /** Clients compare it as text, so it comes without a character set. */
    static final String TYPE = "application/x-yaml";

    private static final byte[] SEPARATOR = "---\n".getBytes(StandardCharsets.UTF_8);

    private YamlAnswers() {}

    static Response of(int status, MapValue content) {
        return of(status, List.of(content));
    }

    static Response of(int status, Collection<MapValue> documents) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        for (MapValue document : documents) {
            if (text.size() > 0) {
                text.writeBytes(SEPARATOR);
            }
            text.writeBytes(JsonValues.write(document)); // JSON is YAML
            text.write('\n');
        }
        return Response.of(status, TYPE, text.toByteArray());
    }
}
