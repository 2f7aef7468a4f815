package dev.strake.engine.property;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Regression tests: stories that once violated a property, found by random stories and shrunk. */
class FoundFaultsTest {

    @TestFactory
    Stream<DynamicTest> shouldKeepEveryPromiseInStoriesThatOnceBrokeOne() throws IOException, URISyntaxException {
        Path folder = Path.of(FoundFaultsTest.class.getResource("/found-faults").toURI());
        try (Stream<Path> stories = Files.list(folder)) {
            return stories.sorted().toList().stream()
                    .map(story -> DynamicTest.dynamicTest(
                            story.getFileName().toString(), () -> Story.tell(Files.readString(story))));
        }
    }

    @Test
    void shouldNotReplaceADocumentWithAnotherName() {
        Story.tell("""
                put x [{"schema":"deckhand/LayeringPolicy/v1","metadata":{"schema":"metadata/Control/v1","name":"policy"},"data":{"layerOrder":["top","mid"]}}]
                put x [{"schema":"t/A/v1","metadata":{"schema":"metadata/Document/v1","name":"a","storagePolicy":"cleartext","layeringDefinition":{"layer":"top"},"labels":{"m":"y"}},"data":{"a":1}}]
                put x [{"schema":"t/A/v1","metadata":{"schema":"metadata/Document/v1","name":"b","storagePolicy":"cleartext","layeringDefinition":{"layer":"mid","parentSelector":{"m":"y"},"actions":[{"method":"merge","path":"."}]},"replacement":true},"data":{"a":2}}]
                """);
    }

    @Test
    void shouldCountHeldRecordsWhenADocumentRecoversWithAnotherKeyOrder() {
        Story.tell("""
                put x [{"schema":"deckhand/LayeringPolicy/v1","metadata":{"schema":"metadata/Control/v1","name":"policy"},"data":{"layerOrder":["top","leaf"]}}]
                put x [{"schema":"t/A/v1","metadata":{"schema":"metadata/Document/v1","name":"e","storagePolicy":"cleartext","layeringDefinition":{"layer":"top"},"labels":{"k":"y"}},"data":{"a":0,"b":1}}]
                put y [{"schema":"t/A/v1","metadata":{"schema":"metadata/Document/v1","name":"c","storagePolicy":"cleartext","layeringDefinition":{"layer":"leaf","parentSelector":{"k":"y"},"actions":[{"method":"merge","path":"."}]}},"data":{"b":1,"a":0}}]
                delete x [{"schema":"t/A/v1","layer":"top","name":"e"}]
                put y [{"schema":"deckhand/DataSchema/v1","metadata":{"schema":"metadata/Control/v1","name":"t/A/v1"},"data":{"type":12}}]
                put x [{"schema":"t/A/v1","metadata":{"schema":"metadata/Document/v1","name":"e","storagePolicy":"cleartext","layeringDefinition":{"layer":"top"},"labels":{"k":"y"}},"data":{"b":1,"a":0}}]
                delete y [{"schema":"deckhand/DataSchema/v1","layer":"","name":"t/A/v1"}]
                delete y [{"schema":"t/A/v1","layer":"leaf","name":"c"}]
                """);
    }

    @Test
    void shouldInsertTheSameTextForEqualMapsInAnyKeyOrder() {
        Story.tell("""
                put y [{"schema":"t/B/v1","metadata":{"schema":"metadata/Document/v1","name":"i","storagePolicy":"cleartext","layeringDefinition":{"layer":"leaf"}},"data":{"a":2,"s":"plain"}}]
                put x [{"schema":"t/A/v1","metadata":{"schema":"metadata/Document/v1","name":"j","storagePolicy":"cleartext","layeringDefinition":{"layer":"leaf"},"substitutions":[{"src":{"schema":"t/B/v1","name":"i","path":"."},"dest":{"path":".s","pattern":"TOKEN"}}]},"data":{"s":"TOKEN"}}]
                put y [{"schema":"t/B/v1","metadata":{"schema":"metadata/Document/v1","name":"i","storagePolicy":"cleartext","layeringDefinition":{"layer":"leaf"},"labels":{"k":"t"}},"data":{"s":"plain","a":2}}]
                """);
    }

    @Test
    void shouldFindTheSameValueByWildcardInAnyKeyOrder() {
        Story.tell("""
                put y [{"schema":"t/B/v1","metadata":{"schema":"metadata/Document/v1","name":"i","storagePolicy":"cleartext","layeringDefinition":{"layer":"leaf"}},"data":{"p":{"c":1},"q":{"c":2}}}]
                put x [{"schema":"t/A/v1","metadata":{"schema":"metadata/Document/v1","name":"j","storagePolicy":"cleartext","layeringDefinition":{"layer":"leaf"},"substitutions":[{"src":{"schema":"t/B/v1","name":"i","path":"..c"},"dest":{"path":".a"}},{"src":{"schema":"t/B/v1","name":"i","path":".*.c"},"dest":{"path":".b"}}]},"data":{}}]
                put y [{"schema":"t/B/v1","metadata":{"schema":"metadata/Document/v1","name":"i","storagePolicy":"cleartext","layeringDefinition":{"layer":"leaf"},"labels":{"k":"t"}},"data":{"q":{"c":2},"p":{"c":1}}}]
                """);
    }

    @Test
    void shouldReportTheFirstFailingSubstitutionBeforeAnInvalidLaterOne() {
        Story.tell("""
                put x [{"schema":"deckhand/LayeringPolicy/v1","metadata":{"schema":"metadata/Control/v1","name":"policy"},"data":{"layerOrder":["leaf"]}}]
                put x [{"schema":"t/B/v1","metadata":{"schema":"metadata/Document/v1","name":"i","storagePolicy":"cleartext","layeringDefinition":{"layer":"leaf"}},"data":{"a":1}}]
                put x [{"schema":"t/A/v1","metadata":{"schema":"metadata/Document/v1","name":"j","storagePolicy":"cleartext","layeringDefinition":{"layer":"leaf"},"substitutions":[{"src":{"schema":"t/B/v1","name":"i","path":".nope"},"dest":{"path":".a"}},{"src":{"schema":"t/B/v1","name":"i","path":".b["},"dest":{"path":".b"}}]},"data":{}}]
                """);
    }
}
