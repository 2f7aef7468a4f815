package dev.strake.checks.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.cli.local.DeployedFiles;
import dev.strake.serdes.TopicNames;
import dev.strake.server.kafka.TopicSet;
import dev.strake.server.settings.Catalogue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Everything that the guides for operators name exists. */
class GuidesTest {

    private static final Path OPERATING = DeployedFiles.PROJECT.resolve("docs/operating.md");
    private static final Path DEPLOYING = DeployedFiles.DEPLOY.resolve("README.md");

    @Test
    void shouldNameOnlyListedMetrics() throws Exception {
        String listed = Files.readString(DeployedFiles.PROJECT.resolve("docs/metrics.md"));
        assertThat(found("\\bstrake_[a-z_]+", OPERATING)).hasSizeGreaterThan(4).allMatch(listed::contains);
    }

    @Test
    void shouldNameOnlyExistingSettingsAndTopics() throws Exception {
        Set<String> known = new HashSet<>(new TopicSet("strake.").configs().keySet());
        known.add("strake." + TopicNames.CLEARTEXT); // exists only with a setting
        Catalogue.ALL.forEach(setting -> known.add(setting.name()));
        assertThat(found("(?<=`)strake\\.[a-z][a-z.-]+(?=[`=])", OPERATING, DEPLOYING))
                .hasSizeGreaterThan(4)
                .isSubsetOf(known);
        Set<String> variables = new HashSet<>(Set.of("STRAKE_TOKEN")); // used by commands
        Catalogue.ALL.forEach(setting -> variables.add(setting.variable()));
        assertThat(found("\\bSTRAKE_[A-Z_]+", OPERATING, DEPLOYING))
                .isNotEmpty()
                .isSubsetOf(variables);
    }

    @Test
    void shouldLinkOnlyToExistingFiles() throws Exception {
        for (Path guide : List.of(OPERATING, DEPLOYING)) {
            assertThat(found("(?<=\\]\\()(?!http|#)[^)#]+", guide))
                    .isNotEmpty()
                    .allSatisfy(link -> assertThat(guide.resolveSibling(link)).exists());
        }
        assertThat(found("(?<=\\| `)[\\w.-]+/[\\w./-]*(?=`)", DEPLOYING))
                .hasSizeGreaterThan(4)
                .allSatisfy(path -> assertThat(DEPLOYING.resolveSibling(path)).exists());
    }

    @Test
    void shouldLinkOnlyToExistingPagesAndSections() throws Exception {
        List<Path> pages = new ArrayList<>(List.of(
                DeployedFiles.PROJECT.resolve("README.md"),
                DeployedFiles.PROJECT.resolve("CHANGELOG.md"),
                DeployedFiles.PROJECT.resolve("examples/README.md"),
                DEPLOYING));
        pages.addAll(DeployedFiles.below(DeployedFiles.PROJECT.resolve("docs"), ".md"));
        assertThat(pages).hasSizeGreaterThan(20);
        for (Path page : pages) {
            for (String link : found("(?<=\\]\\()(?!http)[^) ]+(?=\\))", page)) {
                int hash = link.indexOf('#');
                String file = hash < 0 ? link : link.substring(0, hash);
                Path target = file.isEmpty() ? page : page.resolveSibling(file);
                assertThat(target).as(link + " in " + page).exists();
                if (hash >= 0) {
                    assertThat(sections(target)).as(page.toString()).contains(link.substring(hash + 1));
                }
            }
        }
    }

    /* Anchors as GitHub generates them: in lower case, with dashes for blanks, without other characters. */
    private static Set<String> sections(Path page) throws IOException {
        Set<String> sections = new HashSet<>();
        for (String heading : found("(?m)(?<=^#{1,4} ).*$", page)) {
            sections.add(
                    heading.toLowerCase(Locale.ROOT).replaceAll("[^\\w -]", "").replace(' ', '-'));
        }
        return sections;
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
