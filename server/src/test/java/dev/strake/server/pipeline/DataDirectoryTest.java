package dev.strake.server.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.strake.client.MisconfiguredException;
import dev.strake.server.kafka.KafkaSettings;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starts that fail before a connection to the cluster. */
class DataDirectoryTest {

    @TempDir
    Path directory;

    @Test
    void shouldRefuseAFileInThePlaceOfTheDirectory() throws Exception {
        Path file = Files.createFile(directory.resolve("data"));
        for (Path each : new Path[] {file, file.resolve("below")}) {
            assertThatThrownBy(() -> start(each))
                    .isInstanceOf(MisconfiguredException.class)
                    .hasMessageStartingWith("The data directory " + each + " cannot be used: " + file)
                    .hasMessageEndingWith("Give another one with --data (strake.data), or fix this one.");
        }
    }

    @Test
    void shouldRefuseAFileInThePlaceOfTheStores() throws Exception {
        Path file = Files.createFile(directory.resolve("streams"));
        assertThatThrownBy(() -> start(directory))
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContaining(file + " is not a directory");
    }

    @Test
    void shouldRefuseADirectoryThatCannotBeWritten() throws Exception {
        Path data = Files.createDirectory(directory.resolve("data"));
        assertThat(data.toFile().setWritable(false)).isTrue();
        assumeFalse(Files.isWritable(data), "root may write anywhere");
        assertThatThrownBy(() -> start(data))
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContaining("the user of this process may not write to " + data);
    }

    private static void start(Path data) {
        Pipeline.start(
                new PipelineSettings(
                        KafkaSettings.of("127.0.0.1:1"), Settings.defaults().with(Catalogue.DATA, data)),
                PipelineObserver.NONE);
    }
}
