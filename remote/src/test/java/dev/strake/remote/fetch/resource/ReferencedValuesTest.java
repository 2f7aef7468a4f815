package dev.strake.remote.fetch.resource;

import static dev.strake.remote.fetch.attempt.Story.things;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.remote.fetch.attempt.Status;
import dev.strake.remote.fetch.attempt.Story;
import dev.strake.testing.SourceServer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Headers with values from other documents of the workspace. */
class ReferencedValuesTest {

    private SourceServer server;
    private Story story;

    @BeforeEach
    void start() throws Exception {
        server = new SourceServer().text("/a", things("x"));
        story = new Story(Story.LOOPBACK);
    }

    @AfterEach
    void stop() {
        story.close();
        server.close();
    }

    private static String secret(String key, String value) {
        return "{apiVersion: v1, kind: Secret, metadata: {name: s}, data: {%s: %s}}"
                .formatted(key, Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8)));
    }

    private SourceServer.Asked asked() {
        return server.asked.get(server.asked.size() - 1);
    }

    @Test
    void shouldSendTheValueOfASecret() throws Exception {
        story.document("kubernetes/Object/v1", "Secret/shop/s", secret("token", "planted"));
        story.resource(
                "requests: [{options: {url: '{}', headers: {Authorization: {valueFrom: {secretKeyRef: {name: s,"
                        + " namespace: shop, key: token}}}}}}]",
                server.url("/a"));
        Status status = story.attempt(Status.State.OK);
        assertThat(asked().header("Authorization")).isEqualTo("planted");
        assertThat(status.toString() + story.read() + story.changes.get(0).note())
                .doesNotContain("planted");
    }

    @Test
    void shouldPreferLaterMapsAndMapsToInlineHeaders() throws Exception {
        story.document("kubernetes/Object/v1", "Secret/s", secret("B", "secret"));
        story.document(
                "kubernetes/Object/v1",
                "ConfigMap/c",
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {b: map, C: map}}");
        story.resource("""
            requests:
            - options:
                url: '{}'
                headers: {A: inline, B: inline, C: inline}
                headersFrom: [{secretMapRef: {name: s}}, {configMapRef: {name: c}}, {optional: true, configMapRef: {name: none}}]
            """, server.url("/a"));
        story.attempt();
        assertThat(asked().header("A")).isEqualTo("inline");
        assertThat(asked().header("B")).isEqualTo("map");
        assertThat(asked().header("C")).isEqualTo("map");
    }

    @Test
    void shouldNameTheMissingDocument() throws Exception {
        story.resource(
                "requests: [{options: {url: '{}', headersFrom: [{secretMapRef: {name: none}}]}}]", server.url("/a"));
        Status failed = story.attempt();
        assertThat(failed.code()).isEqualTo("ReferenceNotFound");
        assertThat(failed.message()).contains("kubernetes/Object/v1", "Secret/none");
        assertThat(server.asked).isEmpty();
    }

    @Test
    void shouldNeverSendAMask() throws Exception {
        story.document(
                "kubernetes/Object/v1",
                "Secret/s",
                "{apiVersion: v1, kind: Secret, metadata: {name: s}, data: {token: '****** 0123456789abcdef'}}");
        story.resource(
                "requests: [{options: {url: '{}', headers: {A: {valueFrom: {secretKeyRef: {name: s, key: token}}}}}}]",
                server.url("/a"));
        assertThat(story.attempt().message()).contains("is masked", "never sent");
        assertThat(server.asked).isEmpty();
    }

    @Test
    void shouldNeverSendSealedData() throws Exception {
        story.resource(
                "requests: [{options: {url: '{}', headers: {A: {valueFrom: {secretKeyRef: {name: s, key: token}}}}}}]",
                server.url("/a"));
        story.encryptedDocument("kubernetes/Object/v1", "Secret/s", List.of(""), "{$sealed: AAAA}");
        assertThat(story.attempt().message()).contains("is sealed", "no key");
        story.encryptedDocument(
                "kubernetes/Object/v1",
                "Secret/s",
                List.of("/data/token"),
                "{apiVersion: v1, kind: Secret, metadata: {name: s}, data: {token: {$sealed: AAAA}}}");
        assertThat(story.attempt().message()).contains("is sealed", "no key");
        assertThat(server.asked).isEmpty();
    }

    @Test
    void shouldNotSplitAHeader() throws Exception {
        story.document("kubernetes/Object/v1", "Secret/s", secret("token", "planted\r\nX-Evil: 1"));
        story.resource(
                "requests: [{options: {url: '{}', headers: {A: {valueFrom: {secretKeyRef: {name: s, key: token}}}}}}]",
                server.url("/a"));
        assertThat(story.attempt().message()).contains("control character").doesNotContain("planted");
        assertThat(server.asked).isEmpty();
    }
}
