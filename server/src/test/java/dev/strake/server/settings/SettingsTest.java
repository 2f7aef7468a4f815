package dev.strake.server.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.strake.client.MisconfiguredException;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.server.settings.SettingsSource.Given;
import dev.strake.topology.TopologySettings;
import dev.strake.topology.history.Retention;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTest {

    private static final Pattern VARIABLE = Pattern.compile("STRAKE_[A-Z]+(_[A-Z]+)*");

    @TempDir
    Path directory;

    @Test
    void shouldHaveTheDefaultsOfTheContract() {
        assertThat(WorkSettings.of(Settings.defaults(), 1)).isEqualTo(TopologySettings.of(1));
    }

    @Test
    void shouldOverrideOnlyGivenSettings() {
        Settings settings = Settings.of(List.of(SettingsSource.named(
                "option --set",
                Map.of(
                        "strake.on-problem", "hold-document",
                        "strake.limits.documents", "10",
                        "strake.limits.rendered-bytes", " 1000 ",
                        "strake.limits.list-padding", "7",
                        "strake.history.revisions", "0",
                        "strake.history.age", "P30D"))));
        TopologySettings work = WorkSettings.of(settings, 3);
        assertThat(work.topics().partitions()).isEqualTo(3);
        assertThat(work.rendering().holdDocuments()).isTrue();
        assertThat(work.intake().limits().change().documents()).isEqualTo(10);
        assertThat(work.rendering().limits()).isEqualTo(new RenderLimits(1000, RenderLimits.DEFAULT.depth(), 7));
        assertThat(work.retention()).isEqualTo(new Retention(0, Duration.ofDays(30)));
    }

    @Test
    void shouldPreferTheOptionToTheEnvironmentAndTheEnvironmentToTheFile() throws Exception {
        Path file = Files.writeString(
                directory.resolve("strake.properties"), "strake.http.port=1\nstrake.threads=1\nstrake.partitions=1\n");
        SettingsSource environment = SettingsSource.environment(Map.of("STRAKE_HTTP_PORT", "2", "STRAKE_THREADS", "2"));
        SettingsSource option = SettingsSource.of("option --http-port", Map.of(Catalogue.HTTP_PORT, "3"));

        Settings settings = Settings.of(List.of(SettingsSource.file(file), environment, option));

        assertThat(settings.get(Catalogue.HTTP_PORT)).isEqualTo(3);
        assertThat(settings.get(Catalogue.THREADS)).contains(2);
        assertThat(settings.get(Catalogue.PARTITIONS)).isEqualTo(1);
        assertThat(settings.effective())
                .containsEntry("strake.http.port", new Given("3", "option --http-port"))
                .containsEntry("strake.threads", new Given("2", "environment STRAKE_THREADS"))
                .containsEntry("strake.partitions", new Given("1", "file " + file + ", line 3"))
                .containsEntry("strake.history.revisions", new Given("1000", "default"));
    }

    @Test
    void shouldRefuseAnUnknownSetting() {
        SettingsSource file = SettingsSource.named("file strake.properties", Map.of("strake.limits.document", "10"));
        assertThatThrownBy(() -> Settings.of(List.of(file)))
                .isInstanceOf(MisconfiguredException.class)
                .hasMessage("There is no setting strake.limits.document (file strake.properties)."
                        + " 'strake config list' lists all.");
        assertThatThrownBy(() -> SettingsSource.environment(Map.of("STRAKE_HTP_PORT", "1")))
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageStartingWith("There is no setting STRAKE_HTP_PORT (environment).");
    }

    @ParameterizedTest
    @CsvSource({
        "strake.limits.documents,   many,     a whole number from 1 to",
        "strake.limits.documents,   0,        a whole number from 1 to",
        "strake.limits.documents,   1e3,      a whole number from 1 to",
        "strake.http.port,          65536,    '65,535'",
        "strake.http.advertised,    strake-0, a host and a port",
        "strake.history.revisions,  -1,       a whole number from 0",
        "strake.history.age,        30 days,  P7D",
        "strake.history.age,        -P1D,     PT0S",
        "strake.on-problem,         shrug,    hold-revision or hold-document",
        "strake.accept-empty-state, yes,      true or false",
        "strake.topic-prefix,       a/b,      A-Z",
    })
    void shouldDescribeTheExpectedValue(String name, String value, String range) {
        assertThatThrownBy(() -> Settings.of(List.of(SettingsSource.named("option --set", Map.of(name, value)))))
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContainingAll(name + " cannot be '" + value + "' (option --set): it has to be", range);
    }

    @Test
    void shouldIgnoreVariablesThatAreNotSettings() {
        assertThat(SettingsSource.environment(Map.of(
                                "STRAKE_JAVA_OPTS", "-Xmx2g",
                                "STRAKE_LOG", "info",
                                "STRAKE_SERVICE_HOST", "10.0.0.1",
                                "STRAKE_PORT_8080_TCP", "tcp://10.0.0.1:8080",
                                "STRAKE_HEADLESS_SERVICE_PORT_HTTP", "8080",
                                "STRAKE_HTTP_PORT", "tcp://10.0.0.1:8080",
                                "HOME", "/"))
                        .given())
                .isEmpty();
    }

    @Test
    void shouldAcceptEveryDocumentedVariable() throws IOException {
        Set<String> documented = new TreeSet<>();
        try (Stream<Path> pages = Files.list(Path.of("../docs"))) {
            for (Path page :
                    pages.filter(each -> each.toString().endsWith(".md")).toList()) {
                VARIABLE.matcher(Files.readString(page)).results().forEach(found -> documented.add(found.group()));
            }
        }
        documented.remove("STRAKE_PORT"); // set by Kubernetes; ignored only if its value is an address
        assertThat(documented).hasSizeGreaterThan(15).contains("STRAKE_AUDIT_LOG", "STRAKE_CLASS_PATH");
        for (String variable : documented) {
            assertThatCode(() -> SettingsSource.environment(Map.of(variable, "x")))
                    .as(variable)
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void shouldHaveADefaultWithinTheRangeOfEverySetting() {
        for (Setting<?> setting : Catalogue.ALL) {
            assertThat(setting.read(setting.defaultValue(), "default"))
                    .as(setting.name())
                    .isNotNull();
        }
    }
}
