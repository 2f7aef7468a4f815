package dev.strake.cli.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.strake.serdes.text.Limits;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Origins of documents inside and outside of git work trees. */
class OriginsOfFilesTest {

    @TempDir
    Path folder;

    private static String document(String name) {
        return """
                ---
                schema: example/Thing/v1
                metadata:
                  schema: metadata/Document/v1
                  name: %s
                  storagePolicy: cleartext
                  layeringDefinition: {layer: site}
                data: {}
                """.formatted(name);
    }

    private Path write(String file, String text) throws IOException {
        Path path = folder.resolve(file);
        Files.createDirectories(path.getParent());
        return Files.writeString(path, text);
    }

    private List<String> origins(String path) throws IOException {
        return FileDocuments.read(List.of(path), InputStream.nullInputStream(), Limits.DEFAULT, remark -> {})
                .origins();
    }

    private void git(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("git", "-c", "user.name=A", "-c", "user.email=a@example.org"));
        command.addAll(List.of(arguments));
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            assumeTrue(false, "there is no git here: " + e.getMessage());
            return;
        }
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
    }

    @Test
    void shouldNameFileAndLineWithoutGit() throws IOException {
        Path file = write("site/a.yaml", "# two\n" + document("a") + document("b"));

        assertThat(origins(folder.toString())).containsExactly(file + ":3", file + ":11");
        assertThat(FileDocuments.read(
                                List.of("-"),
                                new ByteArrayInputStream(document("a").getBytes(StandardCharsets.UTF_8)),
                                Limits.DEFAULT,
                                remark -> {})
                        .origins())
                .containsExactly("stdin:2");
    }

    @Test
    void shouldNameTheCommitOfUnmodifiedFiles() throws IOException, InterruptedException {
        git("init", "-q");
        write("sites/a/clean.yaml", document("clean"));
        write("sites/a/dirty.yaml", document("dirty"));
        write("sites/a/staged.yaml", document("staged"));
        write(".gitignore", "ignored.yaml\n");
        git("add", ".");
        git("commit", "-q", "-m", "first");
        write("sites/a/dirty.yaml", "\n" + document("dirty"));
        write("sites/a/staged.yaml", "\n" + document("staged"));
        git("add", "sites/a/staged.yaml");
        write("sites/a/new.yaml", document("new"));
        write("sites/a/ignored.yaml", document("ignored"));

        List<String> origins = origins(folder.resolve("sites/a").toString());

        assertThat(origins).hasSize(5);
        assertThat(origins.get(0)).matches("sites/a/clean.yaml:2@[0-9a-f]{12,40}");
        assertThat(origins.subList(1, 5))
                .containsExactly(
                        "sites/a/dirty.yaml:3",
                        "sites/a/ignored.yaml:2",
                        "sites/a/new.yaml:2",
                        "sites/a/staged.yaml:3");
    }

    @Test
    void shouldNameNoCommitInARepositoryThatGitCannotRead() throws IOException, InterruptedException {
        git("init", "-q");
        write("a.yaml", document("a"));

        assertThat(origins(folder.toString())).containsExactly("a.yaml:2");
    }
}
