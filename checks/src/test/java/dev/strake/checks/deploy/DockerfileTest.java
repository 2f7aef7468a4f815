package dev.strake.checks.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.strake.cli.local.DeployedFiles;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import dev.strake.server.settings.SettingsSource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Checks the image without building it. */
class DockerfileTest {

    private String dockerfile;

    @BeforeEach
    void read() throws Exception {
        dockerfile =
                Files.readString(DeployedFiles.DEPLOY.resolve("Dockerfile")).replace("\\\n", " ");
    }

    @Test
    void shouldStartJavaWithValidOptions() throws Exception {
        JsonNode entry = new ObjectMapper().readTree(instruction("ENTRYPOINT"));
        List<String> words = new ArrayList<>();
        entry.forEach(word -> words.add(word.asText()));
        assertThat(words).startsWith("java").endsWith("-jar", "/opt/strake/strake.jar");
        List<String> options = new ArrayList<>(words.subList(1, words.size() - 2));
        options.add("-version");
        Tool java = new Tool(Path.of(System.getProperty("java.home"), "bin", "java"));
        assertThat(java.run(options.toArray(String[]::new))).doesNotContain("Unrecognized", "warning");
    }

    @Test
    void shouldSetOnlyExistingSettings() {
        Map<String, String> variables = Pattern.compile("(\\w+)=(\\S+)")
                .matcher(instruction("ENV"))
                .results()
                .collect(Collectors.toMap(found -> found.group(1), found -> found.group(2)));
        Settings settings = Settings.of(List.of(SettingsSource.environment(variables)));
        assertThat(instruction("VOLUME")).isEqualTo(settings.get(Catalogue.DATA).toString());
        assertThat(instruction("EXPOSE"))
                .isEqualTo(settings.get(Catalogue.HTTP_PORT).toString());
    }

    @Test
    void shouldPinItsBaseImages() {
        assertThat(dockerfile.lines().filter(line -> line.startsWith("FROM ") && line.contains(":")))
                .hasSize(2)
                .allMatch(line -> line.matches("FROM \\S+:\\d+\\.\\d+\\.\\d+\\S*_DIGEST:\\+@\\S+} AS \\w+"));
        assertThat(instruction("USER")).matches("[1-9]\\d+:[1-9]\\d+");
    }

    private String instruction(String name) {
        Matcher last = Pattern.compile("(?m)^" + name + " (.*)$").matcher(dockerfile);
        String found = null;
        while (last.find()) {
            found = last.group(1).strip();
        }
        return found;
    }
}
