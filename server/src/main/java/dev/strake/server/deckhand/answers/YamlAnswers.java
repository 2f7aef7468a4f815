package dev.strake.server.deckhand.answers;

import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.text.YamlOutput;
import dev.strake.server.http.Response;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/** Responses in YAML: a mapping is one document, a list is a stream of documents, or empty. */
public final class YamlAnswers {

    /** Without charset, because clients compare it as text. */
    public static final String TYPE = "application/x-yaml";

    private YamlAnswers() {}

    public static Response of(int status, MapValue content) {
        return of(status, List.of(content));
    }

    public static Response of(int status, Collection<MapValue> documents) {
        String text = documents.stream().map(YamlOutput::textAlone).collect(Collectors.joining("---\n"));
        return Response.of(status, TYPE, text.getBytes(StandardCharsets.UTF_8));
    }
}
