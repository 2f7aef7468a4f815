package dev.strake.remote.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.remote.fetch.attempt.Story;
import dev.strake.remote.object.ObjectDocument;
import dev.strake.serdes.rendered.RenderedHeaders;
import dev.strake.serdes.rendered.RenderedRecord;
import dev.strake.serdes.rendered.SecretHeaders;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Resources that were fetched by other resources. */
class ResourcesTest {

    private final Resources resources = new Resources(Duration.ofMinutes(5), new Random(1));

    private void resource(String name, String in, String owned) {
        RenderedRecord record = Story.record(
                new DocumentKey(ObjectDocument.REMOTE_RESOURCE, name), "{requests: [], bucket: " + owned + "}");
        resources.resource(
                new RenderedRecord(
                        record.key(),
                        record.document(),
                        new RenderedHeaders(
                                1,
                                "site",
                                in,
                                null,
                                new RenderedHeaders.Cause("c", "s", "t", null, null),
                                SecretHeaders.NONE)),
                0);
    }

    private List<String> tooDeep() {
        return resources.due(0).stream()
                .filter(one -> resources
                        .objection(one)
                        .filter(text -> text.contains("a chain has at most 10 resources"))
                        .isPresent())
                .map(one -> one.key.document().name())
                .sorted()
                .toList();
    }

    @Test
    void shouldEndAChainOfResourcesThatFetchResources() {
        resource("r0", "default", "b0");
        for (int i = 1; i < 12; i++) {
            resource("r" + i, "b" + (i - 1), "b" + i);
        }
        assertThat(tooDeep()).containsExactly("r10", "r11");
    }

    @Test
    void shouldLetAResourceBeAmongWhatItFetches() {
        resource("self", "own", "own");
        resource("a", "of-b", "of-a");
        resource("b", "of-a", "of-b");
        assertThat(tooDeep()).isEmpty();
    }

    @Test
    void shouldLeaveABucketToTheResourceThatIsFirstByName() {
        resource("a", "default", "shared");
        resource("b", "default", "shared");
        assertThat(resources.due(0).stream().map(resources::objection).flatMap(Optional::stream))
                .containsExactly("the bucket shared belongs to the resource a; give this one another");
    }
}
