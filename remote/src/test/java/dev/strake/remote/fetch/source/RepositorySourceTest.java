package dev.strake.remote.fetch.source;

import static dev.strake.remote.fetch.attempt.Story.things;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.remote.fetch.attempt.Status;
import dev.strake.remote.fetch.attempt.Story;
import dev.strake.remote.fetch.policy.FetchPolicy;
import dev.strake.remote.fetch.policy.FetchPolicyTest;
import dev.strake.remote.fetch.policy.Network;
import dev.strake.remote.fetch.resource.RemoteResource;
import dev.strake.testing.GitServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.util.SystemReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A folder of a repository as the source of a bucket, over git's protocol. */
class RepositorySourceTest {

    private static final String RESOURCE = """
        backendService: git
        requests:
        - options:
            headers: {Authorization: Basic planted}
            git: {provider: git, repo: '{}', filePath: '{}', {}}
        """;

    @TempDir
    Path directory;

    private Git git;
    private Story story;

    @BeforeEach
    void start() throws Exception {
        git = Git.init()
                .setDirectory(directory.resolve("origin").toFile())
                .setInitialBranch("main")
                .call();
        FetchPolicy policy = new FetchPolicy(
                List.of(), List.of(Network.of("127.0.0.1")), List.of(directory), 100_000, Duration.ofMinutes(1));
        story = new Story(policy);
        story.sources.put(
                RemoteResource.Backend.GIT, new RepositorySource(story.http, policy, directory.resolve("state")));
    }

    @AfterEach
    void stop() throws Exception {
        story.close();
        git.close();
    }

    private RevCommit commit(String file, String text) throws Exception {
        Path path = directory.resolve("origin").resolve(file);
        Files.createDirectories(path.getParent());
        if (text == null) {
            Files.delete(path);
            git.rm().addFilepattern(file).call();
        } else {
            Files.writeString(path, text);
            git.add().addFilepattern(file).call();
        }
        return git.commit()
                .setMessage("more")
                .setAuthor("a", "a@example.org")
                .setCommitter("a", "a@example.org")
                .setSign(false)
                .call();
    }

    private String file() {
        return directory.resolve("origin").toUri().toString();
    }

    @Test
    void shouldFetchAFolderOfABranchAndFollowItsCommits() throws Exception {
        commit("sites/a/one.yaml", things("one"));
        commit("sites/a/README.md", "no document");
        RevCommit second = commit("sites/a/deep/two.yaml", things("two"));
        story.resource(RESOURCE, file(), "sites/a/**", "branch: main");
        Status first = story.attempt();
        assertThat(first.message()).isEmpty();
        assertThat(story.names()).containsExactly("one", "two");
        assertThat(first.requests().get(0).revision()).isEqualTo(second.name());
        assertThat(story.changes.get(0).body().origins()).hasSize(1);
        assertThat(new String(story.changes.get(0).body().origins().get(0), StandardCharsets.UTF_8))
                .contains("sites/a/one.yaml:2@" + second.name());
        story.attempt();
        assertThat(story.changes).hasSize(1);
        commit("sites/a/one.yaml", null);
        assertThat(story.attempt().counts().removed()).isEqualTo(1);
        assertThat(story.names()).containsExactly("two");
    }

    @Test
    void shouldFetchTagsCommitsAndTheDefaultBranch() throws Exception {
        RevCommit first = commit("a.yaml", things("x"));
        git.tag().setName("v1").setAnnotated(false).call();
        git.tag()
                .setName("v2")
                .setAnnotated(true)
                .setSigned(false)
                .setMessage("two")
                .call();
        commit("a.yaml", things("x", "y"));
        for (String ref : List.of("ref: v1", "ref: v2", "ref: " + first.name())) {
            story.resource(RESOURCE, file(), "a.yaml", ref);
            Status status = story.attempt();
            assertThat(status.message()).isEmpty();
            assertThat(status.requests().get(0).revision()).isEqualTo(first.name());
            assertThat(story.names()).containsExactly("x");
        }
        story.resource(RESOURCE, file(), "a.yaml", "");
        story.attempt();
        assertThat(story.names()).containsExactly("x", "y");
    }

    @Test
    void shouldFetchOverHttpWithTheHeadersOfTheResource() throws Exception {
        commit("a/x.yaml", things("x"));
        try (GitServer server = new GitServer(git.getRepository(), "Basic planted")) {
            story.resource(RESOURCE, server.url(), "a", "ref: main");
            assertThat(story.attempt().message()).isEmpty();
            assertThat(story.names()).containsExactly("x");
            int asked = server.asked.size();
            story.attempt();
            assertThat(server.asked.subList(asked, server.asked.size())).allMatch(each -> each.contains("info/refs"));
            commit("a/y.yaml", things("y"));
            story.attempt();
            assertThat(story.names()).containsExactly("x", "y");
        }
        try (GitServer other = new GitServer(git.getRepository(), "Basic other")) {
            story.resource(RESOURCE, other.url(), "a", "ref: main");
            Status failed = story.attempt(Status.State.FAILED);
            assertThat(failed.toString()).doesNotContain("planted");
            assertThat(story.names()).containsExactly("x", "y");
        }
    }

    @Test
    void shouldNotShareFetchedCommitsAcrossCredentials() throws Exception {
        RevCommit commit = commit("a.yaml", things("x"));
        try (GitServer server = new GitServer(git.getRepository(), "Basic planted")) {
            story.resource(RESOURCE, server.url(), "a.yaml", "ref: main");
            assertThat(story.attempt().message()).isEmpty();
            story.resource(
                    RESOURCE.replace("Basic planted", "Basic guessed"),
                    server.url(),
                    "a.yaml",
                    "ref: " + commit.name());
            story.attempt(Status.State.FAILED);
        }
    }

    @Test
    void shouldNameTheMissingPart() throws Exception {
        commit("a.yaml", things("x"));
        story.resource(RESOURCE, file(), "a.yaml", "ref: none");
        assertThat(story.attempt().message()).contains("there is no such branch or tag");
        story.resource(RESOURCE, file(), "b", "ref: main");
        assertThat(story.attempt().message()).contains("there is no such file");
        story.resource(RESOURCE, directory.resolve("none").toUri().toString(), "b", "ref: main");
        assertThat(story.attempt().message()).contains("there is no such folder");
    }

    @Test
    void shouldLimitTheFilesThatItReads() throws Exception {
        commit("a.yaml", "# " + "x".repeat(200_000) + "\n" + things("x"));
        story.resource(RESOURCE, file(), "a.yaml", "ref: main");
        assertThat(story.attempt().code()).isEqualTo("SourceTooLarge");
    }

    @Test
    void shouldReadRepositoriesOnlyBelowAllowedFolders() throws Exception {
        story.resource(RESOURCE, "file:///etc", "a", "ref: main");
        assertThat(story.attempt().message()).contains("--allow-files");
        story.resource(RESOURCE, directory.resolve("origin/../../..").toUri().toString(), "a", "ref: main");
        assertThat(story.attempt().message()).contains("--allow-files");
    }

    @Test
    void shouldNotReadObjectsOfAnotherRepository() throws Exception {
        commit("a.yaml", things("x"));
        Path outside = directory.resolve("origin/.git");
        FetchPolicy policy = FetchPolicyTest.allowing(Files.createDirectories(directory.resolve("allowed")));
        story.sources.put(
                RemoteResource.Backend.GIT, new RepositorySource(story.http, policy, directory.resolve("state")));
        Path bare = directory.resolve("allowed/bare");
        Git.init().setBare(true).setGitDir(bare.toFile()).call().close();
        Files.createDirectories(bare.resolve("objects/info"));
        Files.writeString(bare.resolve("objects/info/alternates"), outside.resolve("objects") + "\n");
        Files.copy(outside.resolve("refs/heads/main"), bare.resolve("refs/heads/main"));
        Path worktree = Files.createDirectories(directory.resolve("allowed/worktree"));
        Files.writeString(worktree.resolve(".git"), "gitdir: " + outside);
        for (Path repository : List.of(bare, worktree)) {
            story.resource(RESOURCE, repository.toUri().toString(), "a.yaml", "ref: main");
            assertThat(story.attempt().code()).isEqualTo("FetchRefused");
            assertThat(story.names()).isEmpty();
        }
    }

    @Test
    void shouldRefusePrivateHostsInEveryScheme() throws Exception {
        for (String repo : List.of("http://10.0.0.1/r.git", "ssh://git@10.0.0.1/r.git", "git@10.0.0.1:o/r.git")) {
            story.resource(RESOURCE, repo, "a", "ref: main");
            assertThat(story.attempt().message()).contains("private address");
        }
    }

    @Test
    void shouldReportAConnectionThatSshClosed() throws Exception {
        Path program = Files.writeString(directory.resolve("ssh"), "#!/bin/sh\ntrap '' TERM\nexec >&- 2>&-\nsleep 2\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        SystemReader before = SystemReader.getInstance();
        SystemReader.setInstance(new SystemReader.Delegate(before) {
            @Override
            public String getenv(String name) {
                return name.equals("GIT_SSH") ? program.toString() : super.getenv(name);
            }
        });
        try {
            story.resource(RESOURCE, "ssh://git@127.0.0.1/r.git", "a", "ref: main");
            Status failed = story.attempt();
            assertThat(failed.code()).isEqualTo("SourceUnreachable");
            assertThat(failed.message()).contains("ssh://git@127.0.0.1/r.git");
        } finally {
            SystemReader.setInstance(before);
        }
    }
}
