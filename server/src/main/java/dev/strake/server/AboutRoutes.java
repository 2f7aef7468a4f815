package dev.strake.server;

import dev.strake.engine.tree.JsonBytes;
import dev.strake.serdes.text.DocumentReader;
import dev.strake.serdes.text.Limits;
import dev.strake.serdes.text.Tally;
import dev.strake.serdes.text.TextFormat;
import dev.strake.serdes.text.UnreadableTextException;
import dev.strake.server.access.Principal;
import dev.strake.server.access.Role;
import dev.strake.server.http.Request;
import dev.strake.server.http.Response;
import dev.strake.server.http.Route;
import dev.strake.server.metrics.SlowChanges;
import dev.strake.server.pipeline.Pipeline;
import dev.strake.server.pipeline.PipelineSettings;
import dev.strake.server.state.ListRequest;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The routes for information about this instance:
 *
 * <pre>
 *  /info                                     versions, the partitions of this instance, settings with their origin
 *  /topology?format=text | mermaid | json    text, as Kafka formats it, by default
 *  /slow?limit=N                             the latest slow changes of workspaces that the client may read
 * </pre>
 */
final class AboutRoutes {

    private AboutRoutes() {}

    static List<Route> of(Pipeline pipeline, PipelineSettings settings, SlowChanges slow) {
        byte[] api = openApi();
        return List.of(
                Route.get("/openapi.json", request -> Response.of(200, "application/json", api)),
                Route.get("/info", request -> Response.json(200, info(pipeline, settings))),
                Route.get("/topology", List.of("format"), request -> topology(pipeline, request)),
                Route.get("/slow", List.of("limit"), request -> Response.json(200, slow(slow, request))));
    }

    private static Map<String, Object> info(Pipeline pipeline, PipelineSettings settings) {
        Map<String, Object> info = new LinkedHashMap<>();
        info.put("version", Versions.HERE.strake());
        info.put("kafka", Versions.HERE.kafka());
        info.put("java", Versions.HERE.java());
        info.put("partitions", pipeline.partitions());
        info.put("active", pipeline.placement().active());
        info.put("standby", pipeline.placement().standby());
        List<Object> all = new ArrayList<>();
        settings.effective().forEach((name, given) -> {
            Map<String, Object> item = new LinkedHashMap<>();
            item.put("name", name);
            item.put("value", given.text());
            item.put("origin", given.origin());
            all.add(item);
        });
        info.put("settings", all);
        return info;
    }

    private static Map<String, Object> slow(SlowChanges slow, Request request) {
        Principal principal = request.principal();
        int limit = ListRequest.of(request).limit().orElse(Integer.MAX_VALUE);
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("threshold", slow.threshold().toString());
        answer.put(
                "items",
                slow.of(workspace -> principal.has(Role.READER, workspace)).stream()
                        .limit(limit)
                        .toList());
        return answer;
    }

    private static Response topology(Pipeline pipeline, Request request) {
        return switch (request.parameter("format").orElse("text")) {
            case "text" -> Response.text(200, pipeline.topology().toString());
            case "mermaid" -> Response.text(200, TopologyPicture.mermaid(pipeline.topology()));
            case "json" -> Response.json(200, TopologyPicture.json(pipeline.topology()));
            default -> throw new IllegalArgumentException("format has to be text, mermaid or json.");
        };
    }

    /* The OpenAPI description of all routes, which the build copies next to this class. */
    private static byte[] openApi() {
        try (InputStream yaml = AboutRoutes.class.getResourceAsStream("openapi.yaml")) {
            return JsonBytes.of(new DocumentReader(Limits.DEFAULT)
                    .readDocuments(yaml.readAllBytes(), TextFormat.YAML, "openapi.yaml", new Tally(Limits.DEFAULT))
                    .get(0)
                    .value());
        } catch (IOException | UnreadableTextException e) {
            throw new IllegalStateException("openapi.yaml of this build is damaged", e);
        }
    }
}
