package dev.strake.cli.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code .strakeignore} leaves out the same files as git does with the same lines. */
class IgnoreFileTest {

    private static final int CASES = Integer.getInteger("strake.fuzz.cases", 300);
    private static final long SEED = Long.getLong("strake.fuzz.seed", 20260131L);

    @TempDir
    Path folder;

    private boolean leavesOut(String lines, String path, boolean isFolder) throws IOException {
        Files.writeString(folder.resolve(IgnoreFile.NAME), lines.replace(';', '\n'));
        return IgnoreFile.of(folder).leavesOut(path, isFolder);
    }

    @ParameterizedTest
    @CsvSource({
        "values.yaml, values.yaml, true",
        "values.yaml, a/b/values.yaml, true",
        "values.yaml, my-values.yaml, false",
        "*.json, a/x.json, true",
        "*.json, a/x.json.yaml, false",
        "/x.yaml, x.yaml, true",
        "/x.yaml, a/x.yaml, false",
        "a/x.yaml, b/a/x.yaml, false",
        "a/*.yaml, a/x.yaml, true",
        "a/*.yaml, a/b/x.yaml, false",
        "**/test/*.yaml, a/b/test/x.yaml, true",
        "**/test/*.yaml, test/x.yaml, true",
        "a/**/x.yaml, a/x.yaml, true",
        "a/**/x.yaml, a/b/c/x.yaml, true",
        "a/**, a/b/x.yaml, true",
        "a/**, a, false",
        "x?.yaml, x1.yaml, true",
        "x?.yaml, x12.yaml, false",
        "x[0-9].yaml, x1.yaml, true",
        "x[!0-9].yaml, x1.yaml, false",
        "x[!0-9].yaml, xa.yaml, true",
        "\\#x.yaml, #x.yaml, true",
        "# x.yaml, x.yaml, false",
        "x.yaml;!x.yaml, x.yaml, false",
        "!x.yaml;x.yaml, x.yaml, true",
        "(a|b)+.yaml, a.yaml, false",
        "(a|b)+.yaml, (a|b)+.yaml, true",
    })
    void shouldReadPatternsAsGitDoes(String lines, String path, boolean leavesOut) throws IOException {
        assertThat(leavesOut(lines, path, false)).isEqualTo(leavesOut);
    }

    @Test
    void shouldIgnoreFoldersByAPatternThatEndsWithASlash() throws IOException {
        assertThat(leavesOut("charts/", "a/charts", true)).isTrue();
        assertThat(leavesOut("charts/", "a/charts", false)).isFalse();
        assertThat(leavesOut("charts", "a/charts", true)).isTrue();
    }

    /* Compares with git itself: which files does git add with the same lines? */
    @Test
    void shouldIgnoreTheFilesThatGitIgnores() throws IOException, InterruptedException {
        git("init", "-q");
        SplittableRandom random = new SplittableRandom(SEED);
        List<String> parts = List.of("a", "b", "ab", "*", "?", "**", "[ab]", "[!a]", "a*", "*b", "\\a", "\\*");
        List<String> files = new ArrayList<>();
        for (String above : List.of("", "a/", "b/", "ab/", "a/b/", "a/b/a/", "b/b/", "ab/a/")) {
            for (String name : List.of("a.yaml", "b.yaml", "ab.yaml", "*.yaml")) {
                Path file = folder.resolve(above + name);
                Files.createDirectories(file.getParent());
                Files.writeString(file, "a: 1\n");
                files.add(above + name);
            }
        }
        int differing = 0;
        for (int i = 0; i < CASES; i++) {
            StringBuilder lines = new StringBuilder();
            for (int line = random.nextInt(1, 4); line > 0; line--) {
                lines.append(random.nextInt(4) == 0 ? "!" : "").append(random.nextInt(3) == 0 ? "/" : "");
                for (int part = random.nextInt(1, 4); part > 0; part--) {
                    lines.append(parts.get(random.nextInt(parts.size())));
                    lines.append(part > 1 ? "/" : random.nextInt(3) == 0 ? "/" : random.nextBoolean() ? ".yaml" : "");
                }
                lines.append('\n');
            }
            Files.writeString(folder.resolve(IgnoreFile.NAME), lines);
            Set<String> left = new TreeSet<>(git("ls-files", "--others", "-X", IgnoreFile.NAME, "-z")
                    .lines()
                    .toList());
            left.remove(IgnoreFile.NAME);
            assertThat(taken()).as(lines.toString()).isEqualTo(left);
            differing += left.size() < files.size() && !left.isEmpty() ? 1 : 0;
        }
        assertThat(differing).as("patterns that leave out some").isGreaterThan(CASES / 4);
    }

    private Set<String> taken() throws IOException {
        Set<String> taken = new TreeSet<>();
        try {
            for (String file : SourceFiles.read(List.of(folder.toString()), InputStream.nullInputStream(), 100)
                    .keySet()) {
                taken.add(folder.relativize(Path.of(file)).toString());
            }
        } catch (FileSystemException e) {
            assertThat(e).hasMessageContaining("holds no"); // all files are ignored
        }
        return taken;
    }

    private String git(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(arguments));
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            assumeTrue(false, "there is no git here: " + e.getMessage());
            return "";
        }
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said.replace('\0', '\n');
    }

    @Test
    void shouldIgnoreNothingWithoutTheFile() throws IOException {
        assertThat(IgnoreFile.of(folder).leavesOut("x.yaml", false)).isFalse();
    }

    @Test
    void shouldNameTheInvalidPattern() {
        assertThatThrownBy(() -> leavesOut("[z-a]", "x", false))
                .isInstanceOf(FileSystemException.class)
                .hasMessageContaining("'[z-a]' is not a pattern");
    }
}
