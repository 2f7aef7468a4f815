package dev.strake.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.testing.TypedPage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Follows docs/tutorial.md as far as it needs no broker. PagesIT follows all of it. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the commands of the tutorial are those of a POSIX shell")
class TutorialTest {

    @TempDir
    Path folder;

    @Test
    void shouldPrintWhatTheTutorialSays() throws Exception {
        String page = Files.readString(Path.of("../docs/tutorial.md"));
        String offline = page.substring(0, page.indexOf("\n## A running Strake\n"));
        assertThat(new TypedPage(offline, folder, TypedPage.OF_THIS_CLASS_PATH, Map.of()).follow())
                .isGreaterThan(8);
    }
}
