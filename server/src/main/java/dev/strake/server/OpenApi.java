package dev.strake.server;

import dev.strake.serdes.text.DocumentReader;
import dev.strake.serdes.text.JsonValues;
import dev.strake.serdes.text.Limits;
import dev.strake.serdes.text.Tally;
import dev.strake.serdes.text.TextFormat;
import dev.strake.serdes.text.UnreadableTextException;
import dev.strake.server.http.Response;
import dev.strake.server.http.Route;
import java.io.IOException;
import java.io.InputStream;

/** The description of all routes for programs: {@code docs/openapi.yaml}, which the build puts beside this class. */
final class OpenApi {

    private OpenApi() {}

    static Route route() {
        byte[] json = json();
        return Route.get("/openapi.json", request -> Response.of(200, "application/json", json));
    }

    private static byte[] json() {
        try (InputStream yaml = OpenApi.class.getResourceAsStream("openapi.yaml")) {
            return JsonValues.write(new DocumentReader(Limits.DEFAULT)
                    .readDocuments(yaml.readAllBytes(), TextFormat.YAML, "openapi.yaml", new Tally(Limits.DEFAULT))
                    .get(0)
                    .value());
        } catch (IOException | UnreadableTextException e) {
            throw new IllegalStateException("openapi.yaml of this build is damaged", e);
        }
    }
}
