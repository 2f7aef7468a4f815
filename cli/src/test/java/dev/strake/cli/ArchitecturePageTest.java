package dev.strake.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages for developers name only classes and members that exist. */
class ArchitecturePageTest {

    private static final Path PROJECT = Path.of("..");

    private static final Pattern DECLARED = Pattern.compile("\\b(?:class|record|interface|enum) ([A-Z]\\w*)");

    /** A class, optionally with a member, as the pages write it: {@code Heads}, {@code Heads.put}. */
    private static final Pattern NAMED = Pattern.compile("`([A-Z][a-z]\\w*)(?:\\.(\\w+))?(?:\\([^`]*\\))?`");

    @ParameterizedTest
    @ValueSource(strings = {"docs/architecture.md", "CONTRIBUTING.md"})
    void shouldNameClassesAndMembersThatExist(String page) throws IOException {
        Map<String, String> sources = sources();
        Set<String> unknown = new TreeSet<>();
        for (MatchResult named :
                NAMED.matcher(Files.readString(PROJECT.resolve(page))).results().toList()) {
            String source = sources.getOrDefault(named.group(1), "");
            String member = named.group(2) == null ? named.group(1) : named.group(2);
            if (!Pattern.compile("\\b" + member + "\\b").matcher(source).find()) {
                unknown.add(named.group());
            }
        }
        assertThat(unknown).isEmpty();
    }

    /* Returns the source of each class by its name. Sources of classes with the same name are concatenated. */
    private static Map<String, String> sources() throws IOException {
        Map<String, String> sources = new HashMap<>();
        try (Stream<Path> files = Files.walk(PROJECT, 20)) {
            for (Path file : files.filter(each ->
                            each.toString().endsWith(".java") && each.toString().contains("/src/"))
                    .toList()) {
                String source = Files.readString(file);
                DECLARED.matcher(source)
                        .results()
                        .forEach(each -> sources.merge(each.group(1), source, String::concat));
            }
        }
        return sources;
    }
}
