package dev.strake.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.serdes.rendered.RenderedHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;

/** Records of secret documents, as consumers see them. */
class SecretRecordsTest {

    private static final String WS = TopologyHarness.WORKSPACE;

    private static final String PASSWORD = """
            ---
            schema: example/Password/v1
            metadata: {schema: metadata/Document/v1, name: password, storagePolicy: encrypted, layeringDefinition: {layer: global}}
            data: {value: x}
            """;
    private static final String REST = """
            schema: deckhand/LayeringPolicy/v1
            metadata: {schema: metadata/Control/v1, name: policy}
            data: {layerOrder: [global, site]}
            ---
            schema: example/Database/v1
            metadata:
              schema: metadata/Document/v1
              name: database
              storagePolicy: cleartext
              layeringDefinition: {layer: site}
              substitutions:
              - {src: {schema: example/Password/v1, name: password, path: .value}, dest: {path: .password}}
            data: {}
            ---
            schema: strake/Collection/v1
            metadata: {schema: metadata/Document/v1, name: gather, storagePolicy: cleartext, layeringDefinition: {layer: site}}
            data: {schema: example/Database/v1, into: {schema: example/All/v1, name: all}}
            """;
    private static final String CLEAR = PASSWORD.replace("encrypted", "cleartext");

    private int ids;

    private void put(TopologyHarness strake, String documents) {
        strake.send(WS, documents, "ce_type", "dev.strake.documents.put", "ce_id", "change-" + ids++);
    }

    private static Set<String> secret(TopologyHarness strake) {
        Set<String> result = new TreeSet<>();
        for (TestRecord<byte[], byte[]> record : strake.lastRendered()) {
            if (RenderedHeaders.read(record.headers()).secret()) {
                result.add(new String(record.key(), StandardCharsets.UTF_8));
            }
        }
        return result;
    }

    @Test
    void shouldMarkRecordsOfSecretDocumentsAndTellWhenThatChanges() {
        try (TopologyHarness strake = new TopologyHarness()) {
            put(strake, REST + PASSWORD);
            assertThat(secret(strake))
                    .containsExactly(
                            "site-a|example/All/v1|all",
                            "site-a|example/Database/v1|database",
                            "site-a|example/Password/v1|password");

            put(strake, CLEAR);
            assertThat(strake.lastRendered()).hasSize(3);
            assertThat(secret(strake)).isEmpty();
        }
    }
}
