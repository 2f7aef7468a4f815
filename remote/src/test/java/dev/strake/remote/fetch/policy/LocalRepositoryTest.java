package dev.strake.remote.fetch.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.eclipse.jgit.api.Git;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Repositories below an allowed folder that redirect to another place. */
class LocalRepositoryTest {

    @TempDir
    Path directory;

    private Path elsewhere;
    private Path bare;

    @BeforeEach
    void start() throws Exception {
        directory = directory.toRealPath();
        elsewhere = directory.resolve("elsewhere/.git");
        try (Git git = Git.init().setDirectory(elsewhere.getParent().toFile()).call()) {
            git.commit()
                    .setMessage("x")
                    .setAuthor("a", "a@example.org")
                    .setCommitter("a", "a@example.org")
                    .setSign(false)
                    .call();
        }
        bare = directory.resolve("allowed/bare");
        Git.init().setBare(true).setGitDir(bare.toFile()).call().close();
    }

    private static void assertRefused(Path repository, String named) {
        assertThatThrownBy(() -> LocalRepository.of(repository))
                .isInstanceOfSatisfying(
                        FetchException.class, e -> assertThat(e.code()).isEqualTo(FetchException.Code.REFUSED))
                .hasMessageContainingAll(named, "--allow-files");
    }

    private static void link(Path link, Path target) throws IOException {
        if (Files.isDirectory(link)) {
            try (var each = Files.walk(link)) {
                for (Path path :
                        each.sorted(java.util.Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
        Files.createDirectories(link.getParent());
        Files.deleteIfExists(link);
        Files.createSymbolicLink(link, target);
    }

    @Test
    void shouldAcceptRepositoriesWithAndWithoutAWorkTreeAndBundles() throws Exception {
        assertThat(LocalRepository.of(bare)).isEqualTo(bare);
        assertThat(LocalRepository.of(elsewhere.getParent())).isEqualTo(elsewhere);
        Path bundle = Files.writeString(directory.resolve("a.bundle"), "# v2 git bundle\n");
        assertThat(LocalRepository.of(bundle)).isEqualTo(bundle);
    }

    @Test
    void shouldRefuseAFileOrLinkNamedGit() throws Exception {
        Path worktree = Files.createDirectories(directory.resolve("allowed/worktree"));
        Files.writeString(worktree.resolve(".git"), "gitdir: " + elsewhere + "\n");
        assertRefused(worktree, ".git");
        Files.delete(worktree.resolve(".git"));
        Files.createSymbolicLink(worktree.resolve(".git"), elsewhere);
        assertRefused(worktree, ".git");
    }

    @ParameterizedTest
    @ValueSource(strings = {"commondir", "objects/info/alternates", "objects/info/http-alternates"})
    void shouldRefuseFilesThatNameAnotherRepository(String pointer) throws Exception {
        Files.createDirectories(bare.resolve(pointer).getParent());
        Files.writeString(bare.resolve(pointer), elsewhere.resolve("objects") + "\n");
        assertRefused(bare, pointer);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "objects",
                "objects/pack",
                "objects/ab",
                "objects/ab/cdef",
                "objects/pack/pack-1.pack",
                "objects/info",
                "objects/info/alternates",
                "refs",
                "refs/heads",
                "refs/heads/main",
                "packed-refs",
                "HEAD",
                "config",
                "commondir",
                "shallow",
                "info",
                "logs"
            })
    void shouldRefuseLinks(String place) throws Exception {
        link(bare.resolve(place), elsewhere.resolve("objects"));
        assertRefused(bare, place);
    }

    @Test
    void shouldRefuseAFifoAndNotWaitForIt() throws Exception {
        Path fifo = bare.resolve("packed-refs");
        assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor())
                .isZero();
        assertRefused(bare, "packed-refs");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[include]\n\tpath = /elsewhere\n",
                "[INCLUDE]\npath=/elsewhere\n",
                "[core]\nbare = true\n[include] path = ../../elsewhere/.git/config\n",
                "[includeIf \"gitdir:/\"]\n\tpath = /elsewhere\n"
            })
    void shouldRefuseAConfigThatIncludesAnotherFile(String config) throws Exception {
        for (String file : List.of("config", "config.worktree")) {
            Files.writeString(bare.resolve(file), config);
            assertRefused(bare, file);
            Files.writeString(bare.resolve(file), "");
        }
    }

    @Test
    void shouldAllowLinksAsHooks() throws Exception {
        link(bare.resolve("hooks/update"), elsewhere.resolve("config"));
        assertThat(LocalRepository.of(bare)).isEqualTo(bare);
    }

    /* JGit opens NAME.git if NAME is not a repository. */
    @Test
    void shouldNotUseARepositoryNextToAFolder() throws Exception {
        Path folder = Files.createDirectories(directory.resolve("allowed/name"));
        link(directory.resolve("allowed/name.git"), elsewhere);
        assertThatThrownBy(() -> LocalRepository.of(folder))
                .isInstanceOf(FetchException.class)
                .hasMessageContaining("no repository");
    }

    @Test
    void shouldOpenTheRepositoryThatWasChecked() throws Exception {
        Path link = directory.resolve("allowed/link");
        Files.createSymbolicLink(link, bare);
        Path real = FetchPolicyTest.allowing(directory.resolve("allowed")).check(link);
        assertThat(LocalRepository.of(real)).isEqualTo(bare);
    }
}
