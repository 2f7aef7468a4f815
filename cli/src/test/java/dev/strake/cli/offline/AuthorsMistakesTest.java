package dev.strake.cli.offline;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.strake.engine.document.Document;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.render.Renderer;
import dev.strake.engine.secret.Redaction;
import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.text.JsonValues;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** What an author got wrong is told to the author, and is no event of this program: nobody is woken up for it. */
class AuthorsMistakesTest {

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final Level level = root.getLevel();

    @BeforeEach
    void listen() {
        log.start();
        root.addAppender(log);
        root.setLevel(Level.WARN);
    }

    @AfterEach
    void stop() {
        root.detachAppender(log);
        root.setLevel(level);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"pattern\": \"(\"}",
                "{\"pattern\": \"((((x{30}){30}){30}){30}){30}\"}",
                "{\"patternProperties\": {\"[\": {}}}",
                "{\"patternProperties\": {\"(?=x)\": {}}, \"additionalProperties\": false}",
                "{\"type\": \"nothing\"}",
                "{\"properties\": {\"a\": {\"$ref\": \"#/definitions/none\"}}}",
                "{\"properties\": 7}",
                "{\"$ref\": \"#\"}"
            })
    void shouldLogNothingAboutASchemaThatIsNone(String body) {
        Document schema = document("{\"schema\": \"deckhand/DataSchema/v1\", \"metadata\": {\"schema\":"
                + " \"metadata/Control/v1\", \"name\": \"t/A/v1\"}, \"data\": " + body + "}");

        List<Problem> problems = render(schema, "{\"schema\": \"t/B/v1\", \"name\": \"none\", \"path\": \".\"}");

        assertThat(problems).extracting(Problem::code).contains(ProblemCode.INVALID_DOCUMENT_FORMAT);
        assertThat(log.list).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"(", "((((x{30}){30}){30}){30}){30}", "(?=x)"})
    void shouldLogNothingAboutAPatternThatIsNone(String pattern) {
        Document schema = document("{\"schema\": \"deckhand/DataSchema/v1\", \"metadata\": {\"schema\":"
                + " \"metadata/Control/v1\", \"name\": \"t/C/v1\"}, \"data\": {}}");

        List<Problem> problems = render(
                schema,
                "{\"schema\": \"t/B/v1\", \"name\": \"source\", \"path\": \".t\", \"pattern\": \"" + pattern + "\"}");

        assertThat(problems).extracting(Problem::code).containsExactly(ProblemCode.UNKNOWN_SUBSTITUTION_ERROR);
        assertThat(log.list).isEmpty();
    }

    private static List<Problem> render(Document schema, String source) {
        String substituted = "\"substitutions\": [{\"src\": " + source + ", \"dest\": {\"path\": \".a\"}}]";
        return OfflineRendering.of(
                        List.of(
                                document(
                                        "{\"schema\": \"deckhand/LayeringPolicy/v1\", \"metadata\": {\"schema\":"
                                                + " \"metadata/Control/v1\", \"name\": \"p\"}, \"data\": {\"layerOrder\": [\"l\"]}}"),
                                schema,
                                ordinary("t/B/v1", "source", "\"substitutions\": []", "{\"t\": \"x\"}"),
                                ordinary("t/A/v1", "governed", "\"substitutions\": []", "{\"a\": \"x\"}"),
                                ordinary("t/C/v1", "reader", substituted, "{}")),
                        Renderer.holdingDocuments(),
                        Redaction.CLEARTEXT)
                .problems();
    }

    private static Document ordinary(String schema, String name, String more, String data) {
        return document("{\"schema\": \"" + schema
                + "\", \"metadata\": {\"schema\": \"metadata/Document/v1\", \"name\": \""
                + name + "\", \"storagePolicy\": \"cleartext\", \"layeringDefinition\": {\"layer\": \"l\"}, " + more
                + "}, \"data\": " + data + "}");
    }

    private static Document document(String json) {
        return Document.ofValid((MapValue) JsonValues.read(json.getBytes(StandardCharsets.UTF_8)));
    }
}
