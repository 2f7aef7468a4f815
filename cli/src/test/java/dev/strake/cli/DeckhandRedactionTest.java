package dev.strake.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.cli.command.ExitCode;
import dev.strake.engine.secret.Redaction;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.text.JsonValues;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What Deckhand redacts with {@code cleartext-secrets=false} is redacted here, and what it forgets is, too. The leak by its
 * cache needs a service: {@code AccessIT} asks for redacted answers before and after clear ones.
 */
class DeckhandRedactionTest {

    private static final String SITE = """
            schema: deckhand/LayeringPolicy/v1
            metadata: {schema: metadata/Control/v1, name: policy}
            data: {layerOrder: [global, site]}
            ---
            schema: deckhand/Certificate/v1
            metadata: {schema: metadata/Document/v1, name: certificate, storagePolicy: encrypted, layeringDefinition: {layer: global}}
            data: swordfish
            ---
            schema: deckhand/Passphrase/v1
            metadata: {schema: metadata/Document/v1, name: empty, storagePolicy: encrypted, layeringDefinition: {layer: global}}
            data: ""
            ---
            schema: a/Chart/v1
            metadata:
              schema: metadata/Document/v1
              name: parent
              storagePolicy: cleartext
              labels: {is: parent}
              layeringDefinition: {layer: global}
              substitutions:
              - {src: {schema: deckhand/Certificate/v1, name: certificate, path: ., pattern: 'sw(.*)', match_group: 1}, dest: {path: .tls.certificate}}
            data: {port: 443}
            ---
            schema: a/Chart/v1
            metadata:
              schema: metadata/Document/v1
              name: next
              storagePolicy: cleartext
              layeringDefinition: {layer: site}
              substitutions:
              - {src: {schema: a/Chart/v1, name: parent, path: .tls.certificate}, dest: {path: .again}}
            data: {}
            ---
            schema: a/Chart/v1
            metadata:
              schema: metadata/Document/v1
              name: child
              storagePolicy: cleartext
              layeringDefinition: {layer: site, parentSelector: {is: parent}, actions: [{method: merge, path: .}]}
            data: {own: 1}
            ---
            schema: a/Chart/v1
            metadata: {schema: metadata/Document/v1, name: other, storagePolicy: cleartext, layeringDefinition: {layer: site}}
            data: {port: 443}
            """;

    @TempDir
    Path folder;

    private final Map<String, MapValue> shown = new HashMap<>();
    private String text;

    @BeforeEach
    void render() throws IOException {
        String file = Files.writeString(folder.resolve("site.yaml"), SITE).toString();
        text = StrakeCommand.run(ExitCode.FINE, "render", "-o", "json", file);
        for (Value each : ((ListValue) JsonValues.read(text.getBytes(StandardCharsets.UTF_8))).items()) {
            shown.put(((Text) metadata(each).get("name")).value(), (MapValue) each);
        }
    }

    private static MapValue metadata(Value document) {
        return (MapValue) ((MapValue) document).get("metadata");
    }

    private Value policy(String name) {
        return metadata(shown.get(name)).get("storagePolicy");
    }

    private void assertRedacted(String name) {
        assertThat(policy(name)).isEqualTo(new Text("encrypted"));
        Value data = shown.get(name).get("data");
        assertThat(Redaction.STRUCTURE.data(data)).isNotEqualTo(data);
        assertThat(Redaction.maskIn(data)).isNotNull();
        assertThat(text).doesNotContain("swordfish", "ordfish");
    }

    @Test
    void shouldRedactTheDataOfEncryptedDocuments() {
        assertRedacted("certificate");
    }

    @Test
    void shouldRedactWhatSubstitutesFromThemAsIfItWereEncryptedAndSoOnDownTheChain() {
        assertRedacted("parent");
        assertRedacted("next");
    }

    @Test
    void shouldLeaveNameAndSchemaAndPatternOfSourcesReadable() {
        assertThat(text)
                .contains("\"src\":{\"schema\":\"deckhand/Certificate/v1\",\"name\":\"certificate\",\"path\":\".\","
                        + "\"pattern\":\"sw(.*)\"");
    }

    /* Deckhand: a child that inherits substituted secret data from its parent is not marked, its data stays in clear text. */
    @Test
    void shouldRedactWhatAChildInherits() {
        assertRedacted("child");
    }

    /* Deckhand: empty payloads are stored as clear text, and the policy is changed to say so. */
    @Test
    void shouldRedactEmptyDataAsAnyOther() {
        assertRedacted("empty");
    }

    /* Deckhand: the SHA-256 of the JSON text, by which everybody with a dictionary finds a password. */
    @Test
    void shouldNotHashWithoutAKey() throws Exception {
        for (String plain : new String[] {"swordfish", "\"swordfish\"", "ordfish", "\"ordfish\"", "443"}) {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(plain.getBytes(StandardCharsets.UTF_8));
            assertThat(text).doesNotContain(HexFormat.of().formatHex(hash, 0, 8));
        }
    }

    @Test
    void shouldShowAllOtherDocumentsAsTheyAre() {
        assertThat(policy("other")).isEqualTo(new Text("cleartext"));
        assertThat(new String(JsonValues.write(shown.get("other").get("data")), StandardCharsets.UTF_8))
                .isEqualTo("{\"port\":443}");
    }
}
