package dev.strake.server.pipeline;

import static dev.strake.server.Installation.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.strake.server.Installation;
import dev.strake.server.settings.Catalogue;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** More instances than partitions: one has no task, and takes over when the other fails. */
class SurplusInstanceIT {

    @TempDir
    Path directory;

    @Test
    void shouldBeReadyWithoutTasksAndTakeOver() throws Exception {
        try (Installation strake = new Installation("surplus", directory, 1)) {
            Pipeline one = start(strake, "one");
            one.awaitReady(TIMEOUT);
            try (Pipeline other = start(strake, "other")) {
                try {
                    other.awaitReady(TIMEOUT);
                    one.awaitReady(TIMEOUT);
                    // The group may move the task once more while it rebalances.
                    await().atMost(TIMEOUT)
                            .untilAsserted(() -> assertThat(Stream.of(one, other)
                                            .filter(each -> each.placement().holds("site-a")))
                                    .hasSize(1));
                } finally {
                    one.close();
                }
                await().atMost(TIMEOUT).until(() -> other.placement().holds("site-a"));
                other.awaitReady(TIMEOUT);
            }
        }
    }

    private Pipeline start(Installation strake, String instance) {
        return strake.with(Catalogue.DATA, directory.resolve(instance)).startPipeline();
    }
}
