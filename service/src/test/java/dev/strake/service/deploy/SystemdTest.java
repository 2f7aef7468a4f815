package dev.strake.service.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The systemd unit and its environment file. */
class SystemdTest {

    private static final Path SYSTEMD = DeployedFiles.DEPLOY.resolve("systemd");

    @TempDir
    Path directory;

    @Test
    void shouldPassSystemdsOwnCheck() throws Exception {
        Tool systemd = Tool.named("systemd-analyze");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String unit = Files.readString(SYSTEMD.resolve("strake.service"));
        assertThat(unit).contains("ExecStart=/usr/bin/java ", "DynamicUser=yes", "ProtectSystem=strict", "Type=exec");
        // Java may be elsewhere here; the check wants to see the program.
        Path copy = Files.writeString(directory.resolve("strake.service"), unit.replace("/usr/bin/java", java));
        assertThat(systemd.run("verify", copy.toString())).doesNotContain("strake.service:");
    }

    @Test
    void shouldSetNothingButSettingsThatExist() throws Exception {
        List<String> names;
        try (Stream<String> lines = Files.lines(SYSTEMD.resolve("strake.env"))) {
            names = lines.filter(line -> !line.startsWith("#"))
                    .map(line -> line.split("=", 2)[0])
                    .toList();
        }
        assertThat(names)
                .filteredOn(name -> name.startsWith("STRAKE_"))
                .isNotEmpty()
                .isSubsetOf(KnownSettings.variables());
        assertThat(String.join(" ", names)).doesNotContain("PASSWORD", "JAAS");
    }
}
