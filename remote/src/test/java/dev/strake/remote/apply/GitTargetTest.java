package dev.strake.remote.apply;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.strake.client.Checkpoint;
import dev.strake.remote.apply.Applied.Status;
import dev.strake.remote.apply.TargetChange.Kind;
import dev.strake.serdes.change.Note;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.transport.RefSpec;
import org.eclipse.jgit.treewalk.TreeWalk;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A branch of a real repository, accessed with git's protocol over the file system. */
class GitTargetTest {

    private static final String BRANCH = "main";

    @TempDir
    Path directory;

    private final Workspace workspace = new Workspace();

    @AutoClose
    private Git origin;

    private Path address;

    @BeforeEach
    void createRepository() throws Exception {
        address = directory.resolve("origin.git");
        origin = Git.init()
                .setBare(true)
                .setDirectory(address.toFile())
                .setInitialBranch(BRANCH)
                .call();
    }

    @Test
    void shouldCommitEachRevisionWithItsAuthorAndMessage() throws Exception {
        try (GitTarget target = open("")) {
            target.apply(workspace.put("a", "1").whole(), Workspace.ANYWHERE);
            target.apply(
                    workspace.put("a", "2").put("b", "3").revision(new Note("Ada <ada@example.org>", "more of it")),
                    Workspace.ANYWHERE);
        }
        List<RevCommit> commits = commits();
        assertThat(commits).hasSize(2);
        assertThat(commits.get(0).getFullMessage()).isEqualTo("""
            more of it

            Strake-Workspace: site-a
            Strake-Revision: 2
            Strake-Change: change-2
            """);
        assertThat(commits.get(0).getAuthorIdent().getName()).isEqualTo("Ada");
        assertThat(commits.get(0).getAuthorIdent().getEmailAddress()).isEqualTo("ada@example.org");
        assertThat(commits.get(0).getAuthorIdent().getWhenAsInstant()).isEqualTo(Workspace.TIME);
        assertThat(commits.get(1).getShortMessage()).isEqualTo("site-a, revision 1");
        assertThat(files()).isEqualTo(Map.of(file("a"), "2\n", file("b"), "3\n"));
    }

    @Test
    void shouldLabelACommitWithThePublishedRevisionWhenTheHeadFailed() throws Exception {
        workspace.put("a", "1").revision();
        Note note = new Note("ada", "what failed");
        try (GitTarget target = open("")) {
            Applied applied = target.apply(workspace.wholeAfterAFailure(note, 1L), Workspace.ANYWHERE);
            assertThat(applied.revision()).isEqualTo(1);
            workspace.put("a", "2").revision(); // published in part, so revision 1 is the last complete one
            target.apply(workspace.wholeAfterAFailure(note, 1L), Workspace.ANYWHERE);
        }
        assertThat(commits())
                .extracting(RevCommit::getFullMessage)
                .containsExactly(
                        "site-a, revision 2\n\nStrake-Workspace: site-a\nStrake-Revision: 2\n",
                        "site-a, revision 1\n\nStrake-Workspace: site-a\nStrake-Revision: 1\n");
        assertThat(commits())
                .extracting(commit -> commit.getAuthorIdent().getName())
                .containsOnly("Strake");
    }

    @Test
    void shouldMakeNoCommitIfNothingDiffers() throws Exception {
        try (GitTarget target = open("")) {
            target.apply(workspace.put("a", "1").whole(), Workspace.ANYWHERE);
            target.apply(workspace.whole(), Workspace.ANYWHERE);
            target.apply(workspace.put("a", "1").revision(), Workspace.ANYWHERE);
        }
        try (GitTarget target = open("")) {
            target.apply(workspace.whole(), Workspace.ANYWHERE);
        }
        assertThat(commits()).hasSize(1);
    }

    @Test
    void shouldNotTouchOtherFilesOfTheRepository() throws Exception {
        commit("README.md", "theirs");
        commit("clusters/a/" + file("mine"), "theirs");
        try (GitTarget target = open("clusters/a")) {
            Applied applied =
                    target.apply(workspace.put("mine", "1").put("b", "2").whole(), Workspace.ANYWHERE);
            assertThat(applied.count(Kind.FOREIGN)).isEqualTo(1);
            target.apply(workspace.remove("mine").put("c", "3").revision(), Workspace.ANYWHERE);
        }
        assertThat(files())
                .isEqualTo(Map.of(
                        "README.md",
                        "theirs",
                        "clusters/a/" + file("mine"),
                        "theirs",
                        "clusters/a/" + file("b"),
                        "2\n",
                        "clusters/a/" + file("c"),
                        "3\n"));
    }

    @Test
    void shouldCommitOnTopOfTheCommitsOfOthers() throws Exception {
        try (GitTarget target = open("clusters/a")) {
            target.apply(workspace.put("a", "1").whole(), Workspace.ANYWHERE);
            commit("README.md", "theirs");
            target.apply(workspace.put("a", "2").revision(new Note("ada", "second")), Workspace.ANYWHERE);
        }
        assertThat(commits())
                .extracting(RevCommit::getShortMessage)
                .containsExactly("second", "edit", "site-a, revision 1");
        assertThat(files()).isEqualTo(Map.of("README.md", "theirs", "clusters/a/" + file("a"), "2\n"));
    }

    @Test
    void shouldRequestTheWholeSetIfOthersChangedTheFolder() throws Exception {
        try (GitTarget target = open("clusters/a")) {
            target.apply(workspace.put("a", "1").put("b", "1").whole(), Workspace.ANYWHERE);
            commit("clusters/a/" + file("b"), "edited");
            assertThatThrownBy(() -> target.apply(workspace.put("a", "2").revision(), Workspace.ANYWHERE))
                    .isInstanceOf(OutOfStepException.class);
            Applied applied = target.apply(workspace.whole(), Workspace.ANYWHERE);
            assertThat(applied.count(Kind.RESTORE)).isEqualTo(1);
        }
        assertThat(files()).isEqualTo(Map.of("clusters/a/" + file("a"), "2\n", "clusters/a/" + file("b"), "1\n"));
    }

    @Test
    void shouldResumeFromItsCheckpointOnlyIfNothingElseChanged() throws Exception {
        Checkpoint behind = new Checkpoint(Workspace.NAME, 7, 8, new TreeMap<>());
        try (GitTarget target = open("")) {
            assertThat(target.checkpoint()).isEmpty();
            target.apply(workspace.put("a", "1").whole(), behind);
        }
        try (GitTarget target = open("")) {
            assertThat(target.checkpoint()).contains(behind);
        }
        try (GitTarget target = open("", Workspace.form(FileContents.DOCUMENT, false))) {
            assertThat(target.checkpoint()).as("files of one form").isEmpty();
        }
        commit("README.md", "theirs");
        try (GitTarget target = open("")) {
            assertThat(target.checkpoint()).isEmpty();
        }
        delete(directory.resolve("state"));
        try (GitTarget target = open("")) {
            assertThat(target.checkpoint()).isEmpty();
            assertThat(target.apply(workspace.whole(), behind).changes()).isEmpty();
        }
        assertThat(commits()).hasSize(2);
    }

    @Test
    void shouldRepeatNothingAfterAKillBetweenPushAndCheckpoint() throws Exception {
        Path kept = directory.resolve("kept");
        try (GitTarget target = open("")) {
            target.apply(workspace.put("a", "1").whole(), Workspace.ANYWHERE);
            Files.copy(checkpointFile(), kept);
            target.apply(workspace.put("a", "2").revision(), Workspace.ANYWHERE);
        }
        Files.delete(checkpointFile());
        Files.move(kept, checkpointFile());
        try (GitTarget target = open("")) {
            assertThat(target.checkpoint()).as("of another commit").isEmpty();
            target.apply(workspace.whole(), Workspace.ANYWHERE);
        }
        assertThat(commits()).hasSize(2);
        assertThat(files()).isEqualTo(Map.of(file("a"), "2\n"));
    }

    @Test
    void shouldPushNothingInADryRunOrWhileHeld() throws Exception {
        try (GitTarget target = open("")) {
            target.apply(workspace.put("a", "1").whole(), Workspace.ANYWHERE);
        }
        try (GitTarget target = open(remote(), Workspace.NAME, true)) {
            Applied planned = target.apply(workspace.put("a", "2").whole(), Workspace.ANYWHERE);
            assertThat(planned.status()).isEqualTo(Status.PLANNED);
            assertThat(planned.changes()).hasSize(1);
        }
        try (GitTarget target = open("")) {
            Applied held = target.apply(workspace.remove("a").whole(), Workspace.ANYWHERE);
            assertThat(held.status()).isEqualTo(Status.HELD);
        }
        assertThat(commits()).hasSize(1);
    }

    @Test
    void shouldRefuseAFolderOfAnotherWorkspace() throws Exception {
        try (GitTarget target = open("")) {
            target.apply(workspace.put("a", "1").whole(), Workspace.ANYWHERE);
        }
        assertThatThrownBy(() -> open(remote(), "site-b", false))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("belongs to the workspace site-a");
    }

    @Test
    void shouldNotLetAnAuthorForgeTrailers() throws Exception {
        try (GitTarget target = open("")) {
            Note note = new Note("Eve <eve@example.org>\ncommitter root <root> 0 +0000", "one\u0000\u001b[31m\r\ntwo");
            target.apply(workspace.put("a", "1").revision(note), Workspace.ANYWHERE);
        }
        RevCommit commit = commits().get(0);
        assertThat(commit.getCommitterIdent().getName()).isEqualTo("Strake");
        assertThat(commit.getFullMessage()).startsWith("one [31m\ntwo\n\nStrake-Workspace: site-a\n");
        assertThat(commit.getAuthorIdent().getName()).doesNotContain("\n", "<");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-x", "@", "a..b", "a b", ""})
    void shouldRefuseABranchThatGitDoesNotAllow(String branch) {
        assertThatThrownBy(() -> GitRemote.of("https://127.0.0.1:1/x.git", branch, null, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + branch + "'");
    }

    @Test
    void shouldNeverShowCredentials() throws Exception {
        GitRemote remote = GitRemote.of("https://ada:hunter2@127.0.0.1:1/x.git", BRANCH, null, null);
        assertThat(remote.toString()).doesNotContain("hunter2", "ada");
        assertThatThrownBy(() -> open(remote, Workspace.NAME, false))
                .isInstanceOf(IOException.class)
                .satisfies(e -> {
                    for (Throwable each = e; each != null; each = each.getCause()) {
                        assertThat(String.valueOf(each.getMessage())).doesNotContain("hunter2");
                    }
                });
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                assertThat(Files.readString(file, java.nio.charset.StandardCharsets.ISO_8859_1))
                        .doesNotContain("hunter2");
            }
        }
    }

    @Test
    void shouldNeverCommitASecret() throws Exception {
        workspace.put("a", "1").secret().put("b", "\"hunter2\"");
        workspace.secret(null, "/password").put("c", "{\"replicas\": 3, \"password\": \"hunter2\"}");
        try (GitTarget target = open("")) {
            Applied applied = target.apply(workspace.whole(), Workspace.ANYWHERE);
            assertThat(applied.summary())
                    .isEqualTo("revision 1: 1 created, 0 replaced, 0 removed, 0 unchanged, 2 omitted");
            assertThat(target.takesSecrets()).isFalse();
        }
        assertThat(files()).isEqualTo(Map.of(file("a"), "1\n"));
        assertThatThrownBy(() -> open("", Workspace.form(FileContents.DATA, true)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldCommitNoKubernetesSecretOfAClearTextDocument() throws Exception {
        String object = "{\"apiVersion\":\"%s\",\"kind\":\"%s\",\"metadata\":{\"name\":\"x\"},%s}";
        workspace
                .put("a", object.formatted("v1", "Secret", "\"stringData\":{\"p\":\"hunter2\"}"))
                .put("b", object.formatted("v1", "Secret", "\"data\":{\"p\":\"aHVudGVyMg==\"}"))
                .put("c", object.formatted("v1", "Secret", "\"type\":\"kubernetes.io/service-account-token\""))
                .put("d", object.formatted("bitnami.com/v1alpha1", "SealedSecret", "\"data\":{\"p\":\"AgBy\"}"));
        try (GitTarget target = open("")) {
            assertThat(target.apply(workspace.whole(), Workspace.ANYWHERE).summary())
                    .isEqualTo("revision 1: 2 created, 0 replaced, 0 removed, 0 unchanged, 2 omitted");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'apiVersion':'v1','kind':'List','items':[{'apiVersion':'v1','kind':'Secret','metadata':{'name':'x'},'data':{'p':'aHVudGVyMg=='}}]}",
                "{'apiVersion':'v1','kind':'SecretList','items':[{'metadata':{'name':'x'},'stringData':{'p':'hunter2'}}]}",
                "{'replicas':2,'extra':[{'apiVersion':'v1','kind':'Secret','metadata':{'name':'x'},'stringData':{'p':'hunter2'}}]}",
                "{'apiVersion':'v1','kind':'Secret','stringData':{'p':'hunter2'}}",
            })
    void shouldCommitNoKubernetesSecretWithinListsOrData(String data) throws Exception {
        workspace
                .put("a", data.replace('\'', '"'))
                .put("b", data.replace('\'', '"').replace("\"Secret", "\"Server"));
        for (FileContents contents : List.of(FileContents.DATA, FileContents.DOCUMENT)) {
            try (GitTarget target = open(contents.toString(), Workspace.form(contents, false))) {
                assertThat(target.apply(workspace.whole(), Workspace.ANYWHERE).summary())
                        .isEqualTo("revision 1: 1 created, 0 replaced, 0 removed, 0 unchanged, 1 omitted");
            }
        }
        assertThat(files()).containsOnlyKeys("data/" + file("b"), "document/" + file("b"));
    }

    @Test
    void shouldRemoveTheFileOfADocumentThatGetsASecret() throws Exception {
        try (GitTarget target = open("")) {
            target.apply(workspace.put("a", "1").put("b", "2").whole(), Workspace.ANYWHERE);
            Applied applied = target.apply(workspace.secret().put("b", "3").revision(), Workspace.ANYWHERE);
            assertThat(applied.summary())
                    .isEqualTo("revision 2: 0 created, 0 replaced, 1 removed, 0 unchanged, 1 omitted");
        }
        assertThat(files()).isEqualTo(Map.of(file("a"), "1\n"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://ada:hunter2@[bad",
                "https://ada:hunter2@",
                "https://ada:hunter2@h h/x",
                "https://ada:hunter2@example.org:port/x",
                "ssh://ada:hunter2@example.org/x",
                "ada:hunter2@example.org/x",
                " https://ada:hunter2@example.org/x",
            })
    void shouldNotShowThePasswordOfAnInvalidAddress(String address) {
        String shown;
        try {
            shown = GitRemote.of(address, BRANCH, null, null).toString();
        } catch (IllegalArgumentException e) {
            shown = e.getMessage();
        }
        assertThat(shown).doesNotContain("hunter2");
    }

    private GitTarget open(String path) throws IOException {
        return open(path, Workspace.form(FileContents.DATA, false));
    }

    private GitTarget open(String path, FileForm form) throws IOException {
        RemovalRule rule = new RemovalRule(Optional.empty());
        Clock clock = Clock.fixed(Workspace.TIME, ZoneOffset.UTC);
        return GitTarget.open(remote(), path, state(), Workspace.NAME, form, rule, false, clock);
    }

    private GitTarget open(GitRemote remote, String workspace, boolean dryRun) throws IOException {
        FileForm form = Workspace.form(FileContents.DATA, false);
        RemovalRule rule = new RemovalRule(Optional.empty());
        return GitTarget.open(remote, "", state(), workspace, form, rule, dryRun, Clock.systemUTC());
    }

    private GitRemote remote() {
        return GitRemote.of(address.toUri().toString(), BRANCH, null, null);
    }

    private Path state() {
        return directory.resolve("state");
    }

    private Path checkpointFile() {
        return state().resolve("strake-checkpoint");
    }

    private static String file(String name) {
        return "example/Thing/v1/" + name + ".json";
    }

    /** Commits and pushes as another user. */
    private void commit(String path, String text) throws Exception {
        Path clone = Files.createTempDirectory(directory, "clone");
        try (Git git = Git.cloneRepository()
                .setURI(address.toUri().toString())
                .setDirectory(clone.toFile())
                .call()) {
            Path file = clone.resolve(path);
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
            git.add().addFilepattern(path).call();
            git.commit().setMessage("edit").setSign(false).call();
            git.push().setRefSpecs(new RefSpec("HEAD:refs/heads/" + BRANCH)).call();
        }
    }

    private List<RevCommit> commits() throws Exception {
        List<RevCommit> commits = new ArrayList<>();
        origin.log()
                .add(origin.getRepository().resolve("refs/heads/" + BRANCH))
                .call()
                .forEach(commits::add);
        return commits;
    }

    private SortedMap<String, String> files() throws Exception {
        SortedMap<String, String> files = new TreeMap<>();
        Repository repository = origin.getRepository();
        try (TreeWalk walk = new TreeWalk(repository)) {
            walk.addTree(commits().get(0).getTree());
            walk.setRecursive(true);
            while (walk.next()) {
                if (!walk.getPathString().endsWith(Manifest.PATH)) {
                    files.put(
                            walk.getPathString(),
                            new String(repository.open(walk.getObjectId(0)).getBytes(), UTF_8));
                }
            }
        }
        return files;
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.sorted((one, other) -> other.compareTo(one)).toList()) {
                Files.delete(path);
            }
        }
    }
}
