package dev.strake.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.strake.serdes.TopicNames;
import dev.strake.serdes.rendered.RenderedKey;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The long form, of an upgrade and of the ways back: instances of an earlier build are replaced by those of the present
 * one, over the same topics and state folders, and an earlier one is tried once more; and an earlier build makes the
 * rendered documents anew from the changes, as docs/operating.md says.
 *
 * <pre>mvn -Pchaos verify -pl chaos -am -Dit.test=UpgradeIT -Dstrake.earlier=…/target/strake.jar</pre>
 */
@Tag("long")
class UpgradeIT {

    private static final String EARLIER = System.getProperty("strake.earlier", "");

    @Test
    void shouldKeepEveryPromiseOverAnUpgradeAndATryToGoBack() {
        Path earlier = earlier();
        try (Run run = new Run("upgrade")) {
            Instance first = run.add().ofBuild(earlier);
            Instance second = run.add().ofBuild(earlier);
            run.begin(0, Run.PER_SECOND);
            run.letWork(10_000);
            for (Instance each : run.instances()) {
                run.inject(each, () -> {
                    each.stop();
                    each.ofBuild(null).start();
                    each.awaitReady();
                });
                run.letWork(3_000);
            }
            run.letWork(5_000);
            goBack(run, first, second, earlier);
            run.letWork(5_000);
            run.finish();
        }
    }

    @Test
    void shouldComeToTheSameDocumentsWhereAnEarlierBuildBeginsAnewWithTheChanges() {
        Path earlier = earlier();
        try (Run run = Run.withTwin("way-back")) {
            Instance present = run.add();
            run.begin(0, Run.PER_SECOND);
            run.letWork(15_000);
            Map<String, String> before = held(run.historyAtRest());
            long answered = run.outcomes();
            present.stop();
            run.createAnew(TopicNames.RENDERED, TopicNames.PROBLEMS);
            Instance back = run.add().ofBuild(earlier).set("strake.application-id", "anew");
            back.start();
            await("all changes answered once more")
                    .atMost(Duration.ofMinutes(4))
                    .until(() -> !back.isRunning() || run.outcomes() >= 2 * answered);
            assertThat(back.isRunning()).as(back::lastLine).isTrue();
            assertThat(before).isNotEmpty();
            assertThat(held(run.historyAtRest())).isEqualTo(before);
            System.out.println("way-back: " + answered + " changes, " + before.size() + " workspaces");
        }
    }

    /* The hash of what consumers hold of each workspace. */
    private static Map<String, String> held(History history) {
        Map<String, View> views = new TreeMap<>();
        for (ConsumerRecord<byte[], byte[]> record : history.topic(TopicNames.RENDERED)) {
            RenderedKey key = RenderedKey.of(record.key());
            views.computeIfAbsent(key.workspace(), name -> new View()).take(key.document(), record.value());
        }
        views.values().removeIf(view -> view.size() == 0);
        Map<String, String> hashes = new TreeMap<>();
        views.forEach((workspace, view) -> hashes.put(workspace, view.hash()));
        return hashes;
    }

    private static Path earlier() {
        assumeTrue(!EARLIER.isEmpty(), "an upgrade wants an earlier build: -Dstrake.earlier=PATH of its strake.jar");
        return Path.of(EARLIER).toAbsolutePath();
    }

    /*
     * An earlier build may not know what the present one has stored. It has to say so and stop, and must not answer
     * anything in its own way: the present one then goes on as if nothing had been.
     */
    private static void goBack(Run run, Instance first, Instance second, Path earlier) {
        first.stop();
        second.stop();
        long before = run.outcomes();
        first.ofBuild(earlier).start();
        int code = first.awaitEndOr(Duration.ofMinutes(1), () -> run.outcomes() > before + 50);
        System.out.println("upgrade: back to the earlier build: "
                + (code == 0 ? "it goes on" : "it ends with " + code + ", " + first.lastLine()));
        if (first.isRunning()) {
            first.stop();
        } else {
            assertThat(code).isNotZero();
            assertThat(first.says()).contains("Nothing was skipped");
        }
        first.ofBuild(null).start();
        second.start();
        first.awaitReady();
        second.awaitReady();
    }
}
