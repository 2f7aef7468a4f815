package dev.strake.topology;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

/**
 * The log never quotes what an author or a publisher wrote: neither Strake's lines at DEBUG nor those of libraries at
 * INFO. An author's mistake is reported in the outcome and logs no warning. Each record here has a token in the place
 * that its name says.
 */
class LogTest {

    private static final String TOKEN = "t0ken7d1f";
    private static final String POLICY = """
            schema: deckhand/LayeringPolicy/v1
            metadata: {schema: metadata/Control/v1, name: policy}
            data: {layerOrder: [global, site]}
            ---
            """;

    private final TopologyHarness strake = new TopologyHarness();
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final Logger own = (Logger) LoggerFactory.getLogger("dev.strake");
    private final Level level = root.getLevel();

    @BeforeEach
    void listen() {
        log.start();
        root.addAppender(log);
        root.setLevel(Level.INFO);
        own.setLevel(Level.DEBUG);
    }

    @AfterEach
    void close() {
        root.detachAppender(log);
        root.setLevel(level);
        own.setLevel(null);
        strake.close();
    }

    static List<String> records() {
        return Stream.concat(
                        Stream.of(
                                        "{type: object, properties: {a: {pattern: '(?=TOKEN)'}}}",
                                        "{type: object, properties: {a: {pattern: '[TOKEN'}}}",
                                        "{type: object, properties: {a: {pattern: 'TOKEN{9999}'}}}",
                                        "{type: object, patternProperties: {'(?=TOKEN)': {type: string}}}",
                                        "{type: object, properties: {a: {format: TOKEN}}}",
                                        "{type: object, properties: {a: {format: regex}}}",
                                        "{type: object, properties: {a: {format: date-time}}}",
                                        "{type: object, properties: {a: {$ref: '#/definitions/TOKEN'}}}",
                                        "{type: object, properties: {a: {$ref: 'http://localhost:1/TOKEN'}}}",
                                        "{type: object, properties: {a: {$ref: 'file:///TOKEN'}}}",
                                        "{type: object, properties: {a: {$ref: 'TOKEN.json#/x'}}}",
                                        "{type: object, properties: {a: {$ref: 'classpath:TOKEN'}}}",
                                        "{type: object, properties: {a: {$ref: 'resource:TOKEN'}}}",
                                        "{type: object, properties: {a: {enum: [TOKEN]}}}",
                                        "{type: object, TOKEN: 1, $schema: 'http://TOKEN/', id: 'http://TOKEN/x'}",
                                        "{type: TOKEN}",
                                        "{properties: 7}",
                                        "{$ref: '#'}",
                                        "{type: object, required: [TOKEN], additionalProperties: false}")
                                .map(LogTest::withSchema),
                        Stream.of(
                                thing("", "{a: TOKEN, TOKEN: [TOKEN]}"),
                                thing(
                                        ", substitutions: [{src: {schema: a/TOKEN/v1, name: TOKEN, path: .TOKEN},"
                                                + " dest: {path: .a, pattern: '(?=TOKEN)'}}]",
                                        "{a: TOKEN}"),
                                thing(
                                                ", substitutions: [{src: {schema: example/Thing/v1, name: source, path: .a,"
                                                        + " pattern: '[TOKEN', match_group: 7}, dest: {path: .a}}]",
                                                "{a: 1}")
                                        + "---\n" + thing("", "{a: TOKEN}").replace("name: thing", "name: source"),
                                thing(", TOKEN: {TOKEN: TOKEN}", "TOKEN").replace("site", "TOKEN"),
                                thing("", "{a: !TOKEN b}"),
                                thing("", "{a: *TOKEN}"),
                                thing("", "{a: [TOKEN"),
                                thing("", "{TOKEN: 1, TOKEN: 2}"),
                                thing("", "{a: \"\\xTOKEN\"}"),
                                "TOKEN",
                                "{\"schema\": \"TOKEN\"",
                                "[{\"TOKEN\": tru}]"))
                .toList();
    }

    private static String withSchema(String schema) {
        return """
                schema: deckhand/DataSchema/v1
                metadata: {schema: metadata/Control/v1, name: example/Thing/v1}
                data: %s
                ---
                """.formatted(schema) + thing("", "{a: '[TOKEN'}");
    }

    private static String thing(String more, String data) {
        return """
                schema: example/Thing/v1
                metadata: {schema: metadata/Document/v1, name: thing, storagePolicy: cleartext,
                           layeringDefinition: {layer: site}%s}
                data: %s
                """.formatted(more, data);
    }

    @ParameterizedTest
    @MethodSource("records")
    void shouldLogNoContentsOfRecords(String record) {
        String text = POLICY + record.replace("TOKEN", TOKEN);
        strake.send("ws", text);
        strake.send("ws", text, "ce_type", TOKEN, "bucket", "%" + TOKEN, "part", TOKEN, "content-type", TOKEN);
        strake.send("ws", text, "ce_id", TOKEN, "ce_source", TOKEN, "traceparent", TOKEN, "part", "1/2");
        strake.send("ws", "{revision: 1, tag: '" + TOKEN + " x'}", "ce_type", "dev.strake.revision.tag");
        strake.send("ws", "{revision: " + TOKEN + "}", "ce_type", "dev.strake.revision.rollback");
        byte[] value = text.getBytes(StandardCharsets.UTF_8);
        strake.send(("no name " + TOKEN).getBytes(StandardCharsets.UTF_8), value, TopologyHarness.headers());
        strake.advance(Duration.ofMinutes(11));
        assertThat(log.list).allSatisfy(LogTest::assertSilent);
        assertThat(log.list)
                .filteredOn(event -> !event.getLoggerName().startsWith("org.apache.kafka"))
                .noneMatch(event -> event.getLevel().isGreaterOrEqual(Level.WARN));
    }

    private static void assertSilent(ILoggingEvent event) {
        assertThat(event.getLoggerName() + " " + event.getFormattedMessage()).doesNotContain(TOKEN);
        if (event.getThrowableProxy() != null) {
            assertThat(ThrowableProxyUtil.asString(event.getThrowableProxy())).doesNotContain(TOKEN);
        }
    }
}
