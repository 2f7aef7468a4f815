package dev.strake.remote.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.remote.fetch.attempt.Memory;
import dev.strake.remote.fetch.attempt.Story;
import dev.strake.remote.object.ObjectDocument;
import dev.strake.serdes.rendered.RenderedHeaders;
import dev.strake.serdes.rendered.RenderedKey;
import dev.strake.serdes.rendered.RenderedRecord;
import dev.strake.serdes.rendered.SecretHeaders;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Resources that come from other resources. */
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
                        .filter(text ->
                                text.contains("the chain of resources that fetched one another is longer than 10"))
                        .isPresent())
                .map(one -> one.key.document().name())
                .sorted()
                .toList();
    }

    @Test
    void shouldLimitChainsOfResources() {
        resource("r0", "default", "b0");
        for (int i = 1; i < 12; i++) {
            resource("r" + i, "b" + (i - 1), "b" + i);
        }
        assertThat(tooDeep()).containsExactly("r10", "r11");
    }

    @Test
    void shouldAllowAResourceThatFetchesItself() {
        resource("self", "own", "own");
        resource("a", "of-b", "of-a");
        resource("b", "of-a", "of-b");
        assertThat(tooDeep()).isEmpty();
    }

    private List<String> refused() {
        return resources.due(0).stream()
                .filter(one -> resources
                        .objection(one)
                        .filter(text -> text.contains("more than 100 resources that others fetched"))
                        .isPresent())
                .map(one -> one.key.document().name())
                .toList();
    }

    @Test
    void shouldRefuseMoreThanAHundredFetchedResourcesOfAWorkspace() {
        resource("root", "default", "of-root");
        for (int i = 0; i < 120; i++) {
            resource("fan" + i, "of-root", "of-fan" + i);
            resource("own" + i, "default", "of-own" + i);
        }
        List<String> refused = refused();
        assertThat(refused).hasSize(20).allMatch(name -> name.startsWith("fan"));
        assertThat(refused()).isEqualTo(refused);
    }

    @Test
    void shouldFetchARefusedResourceOnceAnotherOneIsGone() {
        resource("root", "default", "of-root");
        for (int i = 0; i < 101; i++) {
            resource("fan" + i, "of-root", "of-fan" + i);
        }
        String refused = refused().get(0);
        for (int i = 0; i < 101; i++) {
            if (!refused.equals("fan" + i)) {
                gone("fan" + i);
                break;
            }
        }
        assertThat(refused()).isEmpty();
    }

    @Test
    void shouldKeepFetchingKnownResourcesAfterARestart() {
        resource("root", "default", "of-root");
        for (int i = 0; i < 200; i++) {
            resource("fan" + i, "of-root", "of-fan" + i);
        }
        for (int i = 100; i < 200; i++) {
            resources.memory(key("fan" + i), memory("of-fan" + i).write());
        }
        resources.loaded();
        assertThat(refused()).hasSize(100).allMatch(name -> Integer.parseInt(name.substring(3)) < 100);
    }

    @Test
    @Timeout(20)
    void shouldFindTheOwnerOfABucketAmongManyResources() {
        resource("root", "default", "of-root");
        for (int i = 0; i < 30_000; i++) {
            resource("fan" + i, "of-root", "of-fan" + i % 10_000);
        }
        assertThat(resources.due(0).stream().map(resources::objection).filter(Optional::isPresent))
                .hasSize(29_900);
    }

    @Test
    void shouldForgetARemovedResourceThatWasNeverFetched() {
        resource("refused", "default", "b");
        resources.loaded();
        gone("refused");
        assertThat(resources.due(0)).isEmpty();
        assertThat(resources.size()).isZero();
    }

    @Test
    void shouldForgetResourcesThatWereRemovedBeforeARestart() {
        gone("long-gone");
        resources.status(key("long-gone"), true, Optional.empty());
        resources.status(key("long-gone"), false, Optional.empty());
        gone("left");
        resources.memory(key("left"), memory("b").write());
        resources.loaded();
        assertThat(resources.due(0)).extracting(one -> one.key).containsExactly(key("left"));
        assertThat(resources.size()).isEqualTo(1);
    }

    @Test
    void shouldRemoveTheStatusOfARemovedResource() {
        resource("failed", "default", "b");
        resources.status(key("failed"), true, Optional.empty());
        resources.loaded();
        gone("failed");
        assertThat(resources.due(0)).extracting(one -> one.key).containsExactly(key("failed"));
    }

    private void gone(String name) {
        RenderedRecord record = Story.record(key(name).document(), "{}");
        resources.resource(new RenderedRecord(record.key(), Optional.empty(), record.headers()), 0);
    }

    private static RenderedKey key(String name) {
        return new RenderedKey("ws", new DocumentKey(ObjectDocument.REMOTE_RESOURCE, name));
    }

    private static Memory memory(String bucket) {
        return new Memory(bucket, "", "", new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
    }

    @Test
    void shouldKeepABucketWithItsPreviousResource() {
        resource("a", "default", "shared");
        resource("b", "default", "shared");
        resources.memory(key("b"), memory("shared").write());
        assertThat(resources.due(0).stream().map(resources::objection).flatMap(Optional::stream))
                .containsExactly("the bucket shared belongs to the resource b; give this one another");
        resources.memory(key("b"), null);
        resource("b", "default", "other");
        assertThat(resources.due(0).stream().map(resources::objection)).containsOnly(Optional.empty());
    }

    @Test
    void shouldGiveABucketToTheFirstResourceByName() {
        resource("a", "default", "shared");
        resource("b", "default", "shared");
        assertThat(resources.due(0).stream().map(resources::objection).flatMap(Optional::stream))
                .containsExactly("the bucket shared belongs to the resource a; give this one another");
    }
}
