package dev.strake.local.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.server.kafka.TopicSet;
import dev.strake.server.settings.Catalogue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the guides for operators name is there. */
class GuidesTest {

    private static final Path OPERATING = DeployedFiles.PROJECT.resolve("docs/operating.md");
    private static final Path DEPLOYING = DeployedFiles.DEPLOY.resolve("README.md");

    @Test
    void shouldNameMetricsThatAreListed() throws Exception {
        String listed = Files.readString(DeployedFiles.PROJECT.resolve("docs/metrics.md"));
        assertThat(found("\\bstrake_[a-z_]+", OPERATING)).hasSizeGreaterThan(4).allMatch(listed::contains);
    }

    @Test
    void shouldNameSettingsAndTopicsThatExist() throws Exception {
        Set<String> known = new HashSet<>(new TopicSet("strake.").names());
        Catalogue.ALL.forEach(setting -> known.add(setting.name()));
        assertThat(found("(?<=`)strake\\.[a-z][a-z.-]+(?=[`=])", OPERATING, DEPLOYING))
                .hasSizeGreaterThan(4)
                .isSubsetOf(known);
        Set<String> variables = new HashSet<>();
        Catalogue.ALL.forEach(setting -> variables.add(setting.variable()));
        assertThat(found("\\bSTRAKE_[A-Z_]+", OPERATING, DEPLOYING))
                .isNotEmpty()
                .isSubsetOf(variables);
    }

    @Test
    void shouldPointToFilesThatAreThere() throws Exception {
        for (Path guide : List.of(OPERATING, DEPLOYING)) {
            assertThat(found("(?<=\\]\\()(?!http|#)[^)#]+", guide))
                    .isNotEmpty()
                    .allSatisfy(link -> assertThat(guide.resolveSibling(link)).exists());
        }
        assertThat(found("(?<=\\| `)[\\w.-]+/[\\w./-]*(?=`)", DEPLOYING))
                .hasSizeGreaterThan(4)
                .allSatisfy(path -> assertThat(DEPLOYING.resolveSibling(path)).exists());
    }

    private static Set<String> found(String pattern, Path... guides) throws IOException {
        Set<String> found = new HashSet<>();
        for (Path guide : guides) {
            Pattern.compile(pattern)
                    .matcher(Files.readString(guide))
                    .results()
                    .forEach(result -> found.add(result.group()));
        }
        return found;
    }
}
