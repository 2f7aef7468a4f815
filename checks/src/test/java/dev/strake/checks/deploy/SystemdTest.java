package dev.strake.checks.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.cli.local.DeployedFiles;
import dev.strake.server.kafka.KafkaSettings;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import dev.strake.server.settings.SettingsSource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks the systemd unit and its environment file. */
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
        // Java may be elsewhere on this machine, but the check requires that the program exists.
        Path copy = Files.writeString(directory.resolve("strake.service"), unit.replace("/usr/bin/java", java));
        assertThat(systemd.run("verify", copy.toString())).doesNotContain("strake.service:");
    }

    @Test
    void shouldStartJavaWithTheStackAndMemoryOptionsOfTheLauncher() throws Exception {
        String launcher = Files.readString(DeployedFiles.DEPLOY.resolveSibling("strake"));
        for (String option : List.of("-Xss4m", "-XX:+ExitOnOutOfMemoryError")) {
            assertThat(launcher).contains(' ' + option);
            assertThat(Files.readString(SYSTEMD.resolve("strake.service"))).contains(' ' + option + ' ');
            assertThat(Files.readString(DeployedFiles.DEPLOY.resolve("Dockerfile")))
                    .contains('"' + option + '"');
        }
    }

    @Test
    void shouldSetOnlyExistingSettings() throws Exception {
        Map<String, String> variables;
        try (Stream<String> lines = Files.lines(SYSTEMD.resolve("strake.env"))) {
            variables = lines.filter(line -> !line.startsWith("#"))
                    .map(line -> line.split("=", 2))
                    .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
        }
        Settings settings = Settings.of(List.of(SettingsSource.environment(variables)));
        assertThat(settings.get(Catalogue.DATA)).isEqualTo(Path.of("/var/lib/strake")); // StateDirectory=strake
        assertThat(variables).containsEntry("KAFKA_NUM_STANDBY_REPLICAS", "1");
        assertThat(settings.get(Catalogue.ACCESS_TOKENS)).contains(Path.of("/etc/strake/tokens"));
        assertThat(settings.get(Catalogue.HTTP_HEALTH_PORT)).isPresent();
        assertThat(KafkaSettings.of(Optional.empty(), Optional.empty(), variables)
                        .cluster()
                        .bootstrapServers())
                .contains("kafka-1.example.com:9093");
        assertThat(variables.toString()).doesNotContain("PASSWORD", "JAAS");
    }
}
