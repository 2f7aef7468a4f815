package dev.strake.topology.query;

import static dev.strake.topology.TopologyHarness.POLICY;
import static dev.strake.topology.TopologyHarness.WORKSPACE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.change.ChangeType;
import dev.strake.topology.TopologyHarness;
import dev.strake.topology.query.RenderedWhole.Item;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class RenderedWholeTest {

    private static final String SITE = POLICY + """
            ---
            schema: deckhand/Passphrase/v1
            metadata: {schema: metadata/Document/v1, name: password, storagePolicy: encrypted, layeringDefinition: {layer: site}}
            data: sw0rdfish
            ---
            schema: example/Server/v1
            metadata:
              schema: metadata/Document/v1
              name: web
              storagePolicy: cleartext
              layeringDefinition: {layer: site}
              substitutions: [{src: {schema: deckhand/Passphrase/v1, name: password, path: .}, dest: {path: .password}}]
            data: {value: 1}
            """;

    private static final String GATHER = """
            schema: strake/Collection/v1
            metadata: {schema: metadata/Document/v1, name: gather, storagePolicy: cleartext, layeringDefinition: {layer: site}}
            data: {schema: example/Server/v1, path: .value, into: {schema: example/Values/v1, name: all}}
            """;

    @AutoClose
    private final TopologyHarness strake = new TopologyHarness();

    @Test
    void shouldReadEachDocumentWithItsPublishedOne() {
        put("site", SITE);
        put("more", GATHER);
        put("site", SITE.replace("value: 1", "value: 2"));
        Map<String, Item> all = read(3);

        assertThat(all.keySet()).containsExactly("all", "password", "policy", "web");
        Item web = all.get("web");
        assertThat(web.published().bucket()).isEqualTo("site");
        assertThat(web.published().since()).isEqualTo(3);
        assertThat(web.published().place()).isEqualTo(2);
        assertThat(data(web)).isEqualTo(MapValue.of("value", Num.of(2)).with("password", new Text("sw0rdfish")));
        Item derived = all.get("all");
        assertThat(derived.id()).isEqualTo(new DocumentId("example/Values/v1", "site", "all"));
        assertThat(derived.published().bucket()).isEqualTo("more");
        assertThat(derived.published().since()).isEqualTo(2);
        assertThat(data(derived)).isEqualTo(ListValue.of(Num.of(2)));
        assertThat(data(read(2).get("all"))).isEqualTo(ListValue.of(Num.of(1)));
    }

    @Test
    void shouldMarkDocumentsWithSecrets() {
        put("site", SITE);
        Map<String, Item> all = read(1);
        assertThat(data(all.get("password")).hasSecrets()).isTrue();
        assertThat(data(all.get("web")).hasSecrets()).isTrue();
        assertThat(data(all.get("policy")).hasSecrets()).isFalse();
    }

    @Test
    void shouldReadNothingOfTheEmptyRevision() {
        put("site", SITE);
        assertThat(read(0)).isEmpty();
    }

    private void put(String bucket, String documents) {
        strake.send(ChangeType.BUCKET_PUT, documents, "bucket", bucket);
    }

    private static Value data(Item item) {
        return item.content().get().get("data");
    }

    private Map<String, Item> read(long revision) {
        Map<String, Item> result = new TreeMap<>();
        WorkspaceQueries queries = strake.queries();
        try (Stream<Item> all = queries.whole(
                        WORKSPACE, revision, queries.at(WORKSPACE, revision).derived())
                .documents(id -> true)) {
            all.forEach(item -> result.put(item.id().name(), item));
        }
        return result;
    }
}
