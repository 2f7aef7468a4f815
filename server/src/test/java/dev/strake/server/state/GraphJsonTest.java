package dev.strake.server.state;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.document.Document;
import dev.strake.engine.graph.Facts;
import dev.strake.engine.graph.Graph;
import dev.strake.engine.graph.OpenedGraph;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.MapValue;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GraphJsonTest {

    private static final String POLICY = """
            {"schema": "deckhand/LayeringPolicy/v1", "metadata": {"schema": "metadata/Control/v1", "name": "layering-policy"},
             "data": {"layerOrder": ["global", "site"]}}""";

    private static final DocumentId WEB = new DocumentId("example/Server/v1", "site", "web");

    @Test
    void shouldDescribeADocumentAndItsDependencies() {
        Graph graph = graph(
                POLICY,
                document("global", "web-base", "'abstract': true", "", "'role': 'web'"),
                document(
                        "site",
                        "web",
                        "'parentSelector': {'role': 'web'}, 'actions': [{'method': 'merge', 'path': '.'}]",
                        "{'src': {'schema': 'example/Server/v1', 'name': 'db', 'path': '.host'}, 'dest': {'path': '.db'}},"
                                + "{'src': {'schema': 'example/Server/v1', 'name': 'db', 'path': '.port'}, 'dest': {'path': '.port'}},"
                                + "{'src': {'schema': 'example/Secret/v1', 'name': 'nowhere', 'path': '.'}, 'dest': {'path': '.key'}}",
                        ""),
                document("site", "db", "", "", ""));

        assertThat(JsonBytes.text(GraphJson.document(graph, graph.facts(WEB)))).isEqualTo("""
                {"schema":"example/Server/v1","layer":"site","name":"web","bucket":"shop","since":0,"uses":[\
                {"reason":"layers on","schema":"example/Server/v1","layer":"global","name":"web-base"},\
                {"reason":"substitutes from","schema":"example/Server/v1","layer":"site","name":"db"},\
                {"reason":"substitutes from","schema":"example/Secret/v1","layer":null,"name":"nowhere","missing":true}]}""");
        DocumentId base = new DocumentId("example/Server/v1", "global", "web-base");
        assertThat(JsonBytes.text(GraphJson.document(graph, graph.facts(base)))).isEqualTo("""
                {"schema":"example/Server/v1","layer":"global","name":"web-base","bucket":"shop","since":0,\
                "labels":{"role":"web"},"abstract":true}""");
        assertThat(JsonBytes.of(GraphJson.layers(graph))).asString(UTF_8).isEqualTo("[\"global\",\"site\"]");
    }

    @Test
    void shouldNameTheOwnerOfADerivedDocument() {
        assertThat(JsonBytes.text(GraphJson.derived(new DocumentKey("example/List/v1", "all"), WEB)))
                .isEqualTo("""
                {"schema":"example/List/v1","layer":null,"name":"all","derived":true,"uses":[\
                {"reason":"is derived from","schema":"example/Server/v1","layer":"site","name":"web"}]}""");
    }

    @Test
    void shouldHaveNoLayersWithoutAPolicy() {
        assertThat(GraphJson.layers(graph(document("site", "db", "", "", ""))).items())
                .isEmpty();
    }

    private static String document(String layer, String name, String layering, String substitutions, String labels) {
        return """
                {'schema': 'example/Server/v1', 'metadata': {'schema': 'metadata/Document/v1', 'name': '%s', 'storagePolicy': 'cleartext',
                 'labels': {%s}, 'layeringDefinition': {'layer': '%s'%s}, 'substitutions': [%s]}, 'data': {}}""".formatted(name, labels, layer, layering.isEmpty() ? "" : ", " + layering, substitutions)
                .replace('\'', '"');
    }

    private static Graph graph(String... documents) {
        Map<DocumentId, Facts> facts = new LinkedHashMap<>();
        for (String each : documents) {
            Document document = Document.ofValid((MapValue) JsonReader.read(each));
            facts.put(document.id(), Facts.of(document, "shop"));
        }
        return OpenedGraph.of(facts, id -> null);
    }
}
