package dev.strake.topology;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.serdes.change.ChangeEnvelope;
import dev.strake.serdes.change.ChangeReader;
import dev.strake.serdes.change.Payload;
import dev.strake.serdes.change.RejectedChangeException;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.text.Limits;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A secret that stands in the data of many documents comes out in rendered documents, and nowhere else. */
class SecretsTest {

    private static final String SECRET = "s3cr3t-t0ken";

    private static final String BASE = """
            schema: deckhand/LayeringPolicy/v1
            metadata: {schema: metadata/Control/v1, name: policy}
            data: {layerOrder: [global, site]}
            ---
            schema: deckhand/Passphrase/v1
            metadata:
              schema: metadata/Document/v1
              name: password
              storagePolicy: encrypted
              layeringDefinition: {layer: global}
            data: SECRET
            ---
            schema: example/Parent/v1
            metadata:
              schema: metadata/Document/v1
              name: parent
              storagePolicy: encrypted
              labels: {family: a}
              layeringDefinition: {layer: global}
            data: {text: SECRET, list: [SECRET], map: {SECRET: 1}}
            """;

    private final TopologyHarness strake = new TopologyHarness();
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final Level level = root.getLevel();

    @BeforeEach
    void listen() {
        log.start();
        root.addAppender(log);
        root.setLevel(Level.TRACE);
    }

    @AfterEach
    void close() {
        root.detachAppender(log);
        root.setLevel(level);
        strake.close();
    }

    private static String document(String more, String data) {
        return "schema: example/Thing/v1\nmetadata:\n  schema: metadata/Document/v1\n  name: thing\n"
                + "  storagePolicy: encrypted\n  layeringDefinition: {layer: site}\n" + more + "data: " + data + "\n";
    }

    private static String substitution(String source, String path, String more, String destination) {
        return "  substitutions: [{src: {schema: %s, path: %s%s}, dest: %s}]\n"
                .formatted(source, path, more, destination);
    }

    private static String control(String kind, String data) {
        return "schema: deckhand/%s/v1\nmetadata: {schema: metadata/Control/v1, name: x}\ndata: %s\n"
                .formatted(kind, data);
    }

    private static String schema(String body) {
        return "---\nschema: deckhand/DataSchema/v1\nmetadata: {schema: metadata/Control/v1, name: example/Thing/v1}\n"
                + "data: " + body + "\n";
    }

    /* All of them with the secret in their data, and something wrong. What a schema allows is told: it is the rule. */
    private static Map<String, String> failing() {
        String parent = "example/Parent/v1, name: parent";
        String password = "deckhand/Passphrase/v1, name: password";
        Map<String, String> texts = new LinkedHashMap<>();
        texts.put("doubled key", document("", "{a: SECRET, a: SECRET}"));
        texts.put("path through text", document(substitution(password, ".", "", "{path: .a.b.c}"), "{a: SECRET}"));
        texts.put("path into text", document(substitution(parent, ".text.x", "", "{path: .a}"), "{a: SECRET}"));
        texts.put("no such path", document(substitution(parent, ".nope", "", "{path: .a}"), "{a: SECRET}"));
        texts.put("bad path", document(substitution(parent, "'.a['", "", "{path: .a}"), "{a: SECRET}"));
        texts.put(
                "bad source pattern",
                document(substitution(parent, ".text", ", pattern: '('", "{path: .a}"), "{a: 1}"));
        texts.put(
                "no such group",
                document(substitution(parent, ".text", ", pattern: 's', match_group: 7", "{path: .a}"), "{a: 1}"));
        texts.put(
                "pattern on a list", document(substitution(parent, ".list", ", pattern: 's'", "{path: .a}"), "{a: 1}"));
        texts.put(
                "bad destination pattern",
                document(substitution(password, ".", "", "{path: .a, pattern: '['}"), "{a: SECRET}"));
        texts.put(
                "pattern nowhere",
                document(substitution(password, ".", "", "{path: .a, pattern: NOPE}"), "{a: SECRET}"));
        texts.put(
                "pattern in a map",
                document(substitution(password, ".", "", "{path: .a, pattern: s}"), "{a: {b: SECRET}}"));
        texts.put("huge index", document(substitution(password, ".", "", "{path: '.a[99999999]'}"), "{a: [SECRET]}"));
        texts.put("no source", document(substitution("a/B/v1, name: nobody", ".", "", "{path: .a}"), "{a: SECRET}"));
        texts.put(
                "action without target",
                document("", "{text: SECRET}")
                        .replace(
                                "{layer: site}",
                                "{layer: site, parentSelector: {family: a}, actions: [{method: replace, path: .nope.no}]}"));
        texts.put(
                "action through text",
                document("", "{text: {a: SECRET}}")
                        .replace(
                                "{layer: site}",
                                "{layer: site, parentSelector: {family: a}, actions: [{method: delete, path: .text.a.b}]}"));
        for (String rule : List.of(
                "type: integer",
                "enum: [x]",
                "pattern: '^x$'",
                "maxLength: 3",
                "format: ipv4",
                "format: date-time",
                "format: email",
                "format: uri",
                "not: {type: string}",
                "oneOf: [{type: integer}, {type: string, maxLength: 2}]",
                "anyOf: [{type: integer}]",
                "type: object",
                "allOf: [{maxLength: 3}]")) {
            texts.put("schema " + rule, document("", "{a: SECRET}") + schema("{properties: {a: {" + rule + "}}}"));
        }
        texts.put(
                "schema list",
                document("", "{a: [SECRET, SECRET]}") + schema("{properties: {a: {uniqueItems: true}}}"));
        texts.put("schema number", document("", "{a: 1, b: SECRET}") + schema("{additionalProperties: false}"));
        texts.put("schema dependency", document("", "{a: SECRET}") + schema("{dependencies: {a: [b]}, required: [c]}"));
        texts.put("bad schema type", document("", "{a: SECRET}") + schema("{type: SECRET}"));
        texts.put(
                "bad schema pattern", document("", "{a: SECRET}") + schema("{properties: {a: {pattern: 'SECRET('}}}"));
        texts.put("bad schema number", document("", "{a: SECRET}") + schema("{maxLength: SECRET}"));
        texts.put(
                "secret that is no text",
                "schema: deckhand/PrivateKey/v1\nmetadata: {schema: metadata/Document/v1, "
                        + "name: key, storagePolicy: encrypted, layeringDefinition: {layer: site}}\ndata: {a: SECRET}\n");
        return texts;
    }

    private static Map<String, String> rejected() {
        Map<String, String> texts = new LinkedHashMap<>();
        texts.put("broken YAML", document("", "{a: SECRET, b: [SECRET"));
        texts.put("unquoted", document("", "SECRET: SECRET: SECRET"));
        texts.put("tab", document("", "\n\tSECRET"));
        texts.put("tag", document("", "!SECRET SECRET"));
        texts.put("type", document("", "!!int SECRET"));
        texts.put("binary", document("", "!!binary SECRET*"));
        texts.put("alias", document("", "*SECRET"));
        texts.put("anchor", document("", "&SECRET &SECRET x"));
        texts.put("escape", document("", "\"\\qSECRET\""));
        texts.put("merge", document("", "{<<: SECRET}"));
        texts.put("complex key", document("", "{[SECRET]: SECRET}"));
        texts.put("json", "{\"schema\": \"x\", \"data\": SECRET}");
        texts.put("json end", "{\"data\": \"SECRET\"} SECRET");
        texts.put("no document", "SECRET");
        texts.put("list of texts", "[SECRET, SECRET]");
        texts.put("data beside", document("", "{}") + "more: SECRET\n");
        texts.put("wrong types", document("", "SECRET").replace("site", "[SECRET]"));
        texts.put("policy", control("LayeringPolicy", "{layerOrder: SECRET}"));
        texts.put("validation", control("ValidationPolicy", "{validations: [SECRET]}"));
        texts.put("data schema", control("DataSchema", "SECRET"));
        texts.put("too deep", document("", "[".repeat(70) + "SECRET" + "]".repeat(70)));
        return texts;
    }

    @Test
    void shouldNeverTellASecretThatCannotBeRendered() {
        assertThat(send(BASE, "ce_type", "dev.strake.documents.put").status()).isEqualTo(OutcomeStatus.RENDERED);
        assertThat(TopologyHarness.text(strake.rendered().get("site-a|deckhand/Passphrase/v1|password")))
                .contains(SECRET);
        failing().forEach((what, text) -> {
            Outcome outcome = send(text, "ce_type", "dev.strake.documents.put");
            assertThat(OutcomeStatus.REJECTED).as(what).isNotEqualTo(outcome.status());
            assertSilent(what, outcome);
            send("{revision: 1}", "ce_type", "dev.strake.revision.rollback");
        });
    }

    @Test
    void shouldNeverTellASecretThatCannotBeRead() {
        send(BASE, "ce_type", "dev.strake.documents.put");
        rejected().forEach((what, text) -> {
            Outcome outcome = send(text, "ce_type", "dev.strake.documents.put");
            assertThat(outcome.status()).as(what).isEqualTo(OutcomeStatus.REJECTED);
            assertSilent(what, outcome);
            assertThat(thrown(text)).as(what).doesNotContain(SECRET);
        });
    }

    private Outcome send(String text, String... headers) {
        return strake.send(TopologyHarness.WORKSPACE, text.replace("SECRET", SECRET), headers);
    }

    private void assertSilent(String what, Outcome outcome) {
        assertThat(new String(OutcomeJson.write(outcome), StandardCharsets.UTF_8))
                .as(what)
                .doesNotContain(SECRET);
        assertThat(outcome.toString()).as(what).doesNotContain(SECRET);
        assertThat(strake.problems().toString()).as(what).doesNotContain(SECRET);
        for (ILoggingEvent event : log.list) {
            String trace =
                    event.getThrowableProxy() == null ? "" : ThrowableProxyUtil.asString(event.getThrowableProxy());
            assertThat(event.getFormattedMessage() + trace).as(what).doesNotContain(SECRET);
        }
        log.list.clear();
    }

    /* The stack trace of what the reader throws: a fault elsewhere could bring it into a log. */
    private static String thrown(String text) {
        byte[] body = text.replace("SECRET", SECRET).getBytes(StandardCharsets.UTF_8);
        ChangeEnvelope envelope = ChangeEnvelope.read(
                        "site-a", TopologyHarness.headers(), "changes", 0, 0, 0, Limits.DEFAULT)
                .envelope();
        try {
            new ChangeReader(Limits.DEFAULT).read(envelope, List.of(Payload.of(body)));
            throw new AssertionError("this should not be readable: " + text);
        } catch (RejectedChangeException e) {
            StringWriter trace = new StringWriter();
            e.printStackTrace(new PrintWriter(trace));
            return trace.toString();
        }
    }

    @Test
    void shouldNotTellSecretsByTextsOfObjects() {
        var tree =
                dev.strake.engine.Json.map("{'a':'" + SECRET + "','b':['" + SECRET + "'],'c':{'d':'" + SECRET + "'}}");
        assertThat(tree.toString() + tree.get("a") + tree.get("b") + tree.get("c"))
                .doesNotContain(SECRET);
        assertThat(new String(JsonBytes.of(tree), StandardCharsets.UTF_8)).contains(SECRET);
    }
}
