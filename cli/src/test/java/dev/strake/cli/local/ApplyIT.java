package dev.strake.cli.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.cli.StrakeCommand;
import dev.strake.cli.terminal.ExitCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.treewalk.TreeWalk;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The command apply with a real pipeline, run like users run it. */
class ApplyIT {

    @TempDir
    static Path directory;

    private static final TestStrake strake = TestStrake.shared();

    private final List<Process> started = new ArrayList<>();
    private String workspace;
    private Path folder;

    @BeforeEach
    void nameThem(TestInfo test) throws IOException {
        workspace = test.getTestMethod().orElseThrow().getName();
        folder = directory.resolve(workspace);
    }

    @Test
    void shouldWriteRenderedDocumentsAndReportDifferences() throws Exception {
        publish(0, "a", "b");
        apply(0, "--dir", folder.toString(), "--once");
        assertThat(folder.resolve("example/Thing/v1/a.yaml")).content().contains("data:\n  replicas: 0\n");
        assertThat(apply(0, "--dir", folder.toString(), "--once"))
                .contains("0 created, 0 replaced, 0 removed, 3 unchanged");
        publish(1, "a");
        String diff = apply(1, "--dir", folder.toString(), "--dry-run");
        assertThat(diff).contains("--- a/example/Thing/v1/a.yaml", "-  replicas: 0", "+  replicas: 1", "+++ /dev/null");
        apply(0, "--dir", folder.toString(), "--once");
        assertThat(folder.resolve("example/Thing/v1/b.yaml")).doesNotExist();
    }

    @Test
    void shouldKeepSecretsOutOfRepositoriesAndFoldersByDefault() throws Exception {
        Path origin = repository();
        String secret = document("password", 0)
                .replace("cleartext", "encrypted")
                .replace("{replicas: 0}", "{password: sw0rdfish}");
        String chart = document("chart", 3)
                .replace(
                        "\ndata:",
                        "\n  substitutions: [{src: {schema: example/Thing/v1, name: password, path: .password},"
                                + " dest: {path: .password}}]\ndata:");
        strake.publish(workspace, document("a", 0) + secret + chart);
        String[] git = {
            "--git", origin.toUri().toString(), "--branch", "main", "--state", directory.resolve("copy") + "", "--once"
        };
        assertThat(apply(ExitCode.INCOMPLETE, git))
                .contains("2 created, 0 replaced, 0 removed, 0 unchanged, 2 omitted");
        assertThat(apply(ExitCode.INCOMPLETE, git))
                .contains("0 created, 0 replaced, 0 removed, 2 unchanged, 2 omitted");
        try (Git repository = Git.open(origin.toFile());
                TreeWalk files = new TreeWalk(repository.getRepository())) {
            files.addTree(commits(repository).get(0).getTree());
            files.setRecursive(true);
            List<String> names = new ArrayList<>();
            while (files.next()) {
                names.add(files.getNameString());
            }
            assertThat(names).contains("a.yaml").doesNotContain("password.yaml", "chart.yaml");
        }
        apply(
                ExitCode.USAGE,
                Stream.concat(Stream.of(git), Stream.of("--cleartext-secrets")).toArray(String[]::new));

        assertThat(apply(ExitCode.DIFFERENT_OR_INVALID, "--dir", folder.toString(), "--dry-run"))
                .contains("# example/Thing/v1/chart.yaml: it has secrets, which are not written here\n");
        apply(ExitCode.INCOMPLETE, "--dir", folder.toString(), "--once");
        assertThat(apply(ExitCode.INCOMPLETE, "--dir", folder.toString(), "--dry-run"))
                .doesNotContain("sw0rdfish");
        assertThat(folder.resolve("example/Thing/v1/chart.yaml")).doesNotExist();
        apply(ExitCode.FINE, "--dir", folder.toString(), "--once", "--cleartext-secrets");
        assertThat(folder.resolve("example/Thing/v1/chart.yaml")).content().contains("sw0rdfish");
    }

    private Path repository() throws Exception {
        Path origin = directory.resolve(workspace + ".git");
        Git.init()
                .setBare(true)
                .setDirectory(origin.toFile())
                .setInitialBranch("main")
                .call()
                .close();
        return origin;
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void shouldPushThroughTheSshProgram() throws Exception {
        Path origin = repository();
        Path ssh = directory.resolve("ssh");
        // JGit passes the local repository path to the program; a real ssh does not pass it to the host.
        Files.writeString(
                ssh, "#!/bin/sh\nfor command; do :; done\nexec env -u GIT_DIR -u GIT_COMMON_DIR sh -c \"$command\"\n");
        Files.setPosixFilePermissions(ssh, PosixFilePermissions.fromString("rwx------"));
        publish(0, "a");
        Process once = follow(
                Map.of("GIT_SSH", ssh.toString()),
                "--git",
                "ssh://git@host.invalid" + origin,
                "--branch",
                "main",
                "--state",
                directory.resolve(workspace + ".state").toString(),
                "--once");
        assertThat(once.waitFor()).as(() -> log()).isZero();
        try (Git git = Git.open(origin.toFile())) {
            assertThat(commits(git)).hasSize(1);
        }
    }

    private String log() {
        try {
            return Files.readString(directory.resolve(workspace + ".log"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<RevCommit> commits(Git git) throws Exception {
        List<RevCommit> commits = new ArrayList<>();
        var head = git.getRepository().resolve("refs/heads/main");
        if (head != null) {
            git.log().add(head).call().forEach(commits::add);
        }
        return commits;
    }

    private void publish(int replicas, String... names) {
        StringBuilder yaml = new StringBuilder();
        for (String name : names) {
            yaml.append(document(name, replicas));
        }
        strake.publish(workspace, yaml.toString(), "--author", "ada", "--message", "step " + replicas);
    }

    private static String document(String name, int replicas) {
        return """
                ---
                schema: example/Thing/v1
                metadata:
                  schema: metadata/Document/v1
                  name: %s
                  storagePolicy: cleartext
                  layeringDefinition: {layer: site}
                data: {replicas: %d}
                """.formatted(name, replicas);
    }

    private String apply(int code, String... options) {
        List<String> line = new ArrayList<>(List.of(command(options)));
        line.addAll(List.of("--bootstrap-servers", strake.bootstrapServers()));
        return StrakeCommand.run(code, line.toArray(String[]::new));
    }

    private String[] command(String... options) {
        return Stream.concat(Stream.of("apply", "-w", workspace), Stream.of(options))
                .toArray(String[]::new);
    }

    /** Starts the command in a separate process, which a test may kill. */
    private Process follow(Map<String, String> environment, String... options) throws IOException {
        Process process =
                strake.program(directory.resolve(workspace + ".log"), environment, List.of(), command(options));
        started.add(process);
        return process;
    }

    @AfterEach
    void endWhatIsLeft() throws InterruptedException {
        for (Process process : started) {
            process.destroyForcibly().waitFor();
        }
    }
}
