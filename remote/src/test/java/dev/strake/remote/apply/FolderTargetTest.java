package dev.strake.remote.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.strake.client.RenderedUpdate;
import dev.strake.remote.apply.Applied.Status;
import dev.strake.remote.apply.FolderTarget.Step;
import dev.strake.remote.apply.TargetChange.Kind;
import dev.strake.serdes.change.RemovalLimit;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class FolderTargetTest {

    @TempDir
    Path root;

    private final Workspace workspace = new Workspace();

    @Test
    void shouldWriteAFileForEachDocumentAndFollowRevisions() throws IOException {
        try (FolderTarget target = open(FileContents.DATA)) {
            apply(target, workspace.put("a", "1").put("b", "2").whole());
            assertThat(files()).isEqualTo(Map.of(file("a"), "1\n", file("b"), "2\n"));

            Applied second = apply(
                    target, workspace.put("a", "3").put("c", "4").remove("b").revision());
            assertThat(files()).isEqualTo(Map.of(file("a"), "3\n", file("c"), "4\n"));
            assertThat(second.summary()).isEqualTo("revision 2: 1 created, 1 replaced, 1 removed, 0 unchanged");
        }
    }

    @Test
    void shouldNotTouchAnUpToDateFile() throws IOException {
        try (FolderTarget target = open(FileContents.DATA)) {
            apply(target, workspace.put("a", "1").whole());
            FileTime longAgo = FileTime.from(Instant.EPOCH);
            Files.setLastModifiedTime(root.resolve(file("a")), longAgo);
            Applied again = apply(target, workspace.whole());
            assertThat(Files.getLastModifiedTime(root.resolve(file("a")))).isEqualTo(longAgo);
            assertThat(again.changes()).isEmpty();
            assertThat(again.unchanged()).isEqualTo(1);
        }
    }

    @Test
    void shouldNeverTouchFilesOfOthers() throws IOException {
        write(file("a"), "theirs");
        write("example/Thing/v1/readme.md", "theirs");
        write("notes.txt", "theirs");
        try (FolderTarget target = open(FileContents.DATA)) {
            Applied applied =
                    apply(target, workspace.put("a", "1").put("b", "2").whole());
            assertThat(applied.count(Kind.FOREIGN)).isEqualTo(1);
            apply(target, workspace.put("a", "2").revision());
            apply(target, workspace.remove("a").revision());
        }
        assertThat(files())
                .isEqualTo(Map.of(
                        file("a"),
                        "theirs",
                        "example/Thing/v1/readme.md",
                        "theirs",
                        "notes.txt",
                        "theirs",
                        file("b"),
                        "2\n"));
    }

    @Test
    void shouldNotAdoptAnEqualFileOfOthers() throws IOException {
        write(file("a"), "1\n");
        try (FolderTarget target = open(FileContents.DATA)) {
            apply(target, workspace.put("a", "1").put("b", "1").whole());
            apply(target, workspace.remove("a").revision());
        }
        assertThat(files()).containsEntry(file("a"), "1\n");
    }

    @Test
    void shouldRepairAndReportForeignChanges() throws IOException {
        try (FolderTarget target = open(FileContents.DATA)) {
            apply(target, workspace.put("a", "1").put("b", "2").whole());
            write(file("a"), "edited");
            Files.delete(root.resolve(file("b")));
            Applied applied = apply(target, workspace.whole());
            assertThat(applied.changes()).extracting(TargetChange::kind).containsOnly(Kind.RESTORE);
            assertThat(applied.summary()).endsWith(", 2 restored");
        }
        assertThat(files()).isEqualTo(Map.of(file("a"), "1\n", file("b"), "2\n"));
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void shouldNotFollowLinksOutOfTheFolder(@TempDir Path elsewhere) throws IOException {
        Files.writeString(elsewhere.resolve("a.json"), "theirs");
        Files.createDirectories(root.resolve("example/Thing"));
        Files.createSymbolicLink(root.resolve("example/Thing/v1"), elsewhere);
        try (FolderTarget target = open(FileContents.DATA)) {
            Applied applied =
                    apply(target, workspace.put("a", "1").put("b", "2").whole());
            assertThat(applied.count(Kind.FOREIGN)).isEqualTo(2);
        }
        assertThat(elsewhere.resolve("a.json")).hasContent("theirs");
        assertThat(elsewhere.resolve("b.json")).doesNotExist();
    }

    @Test
    void shouldNotReplaceAFolderByAFile() throws IOException {
        Files.createDirectories(root.resolve(file("a")));
        write("other", "a file where a folder belongs");
        try (FolderTarget target = open(FileContents.DATA)) {
            Applied applied = apply(
                    target,
                    workspace
                            .put("a", "1")
                            .put("b", "2")
                            .put("other/Thing/v1", "c", "3")
                            .whole());
            assertThat(applied.count(Kind.FOREIGN)).isEqualTo(2);
            assertThat(applied.count(Kind.CREATE)).isEqualTo(1);
        }
        assertThat(root.resolve(file("a"))).isDirectory();
        assertThat(root.resolve("other")).isRegularFile();
    }

    @Test
    void shouldHoldAnEmptySetUntilRemovalsAreAllowed() throws IOException {
        try (FolderTarget target = open(FileContents.DATA)) {
            apply(target, workspace.put("a", "1").put("b", "1").whole());
            Applied held = apply(target, workspace.remove("a").remove("b").revision());
            assertThat(held.status()).isEqualTo(Status.HELD);
            assertThat(held.remark())
                    .startsWith("2 of 2 files would be removed")
                    .contains("--max-removals");
            assertThat(files()).hasSize(2);
        }
        try (FolderTarget target = open(FileContents.DATA, Optional.of(RemovalLimit.parse("100%")), false)) {
            assertThat(apply(target, workspace.whole()).status()).isEqualTo(Status.APPLIED);
            assertThat(files()).isEmpty();
        }
    }

    @Test
    void shouldRemoveNothingWhenTheSetMayBeIncomplete() throws IOException {
        try (FolderTarget target = open(FileContents.DATA)) {
            apply(target, workspace.put("a", "1").put("b", "1").whole());
            Workspace left = new Workspace().put("a", "2");
            Applied applied = apply(target, left.unchecked());
            assertThat(applied.remark()).contains("nothing is removed");
            assertThat(files()).isEqualTo(Map.of(file("a"), "2\n", file("b"), "1\n"));
            apply(target, left.whole());
            assertThat(files()).as("it is still ours").isEqualTo(Map.of(file("a"), "2\n"));
        }
    }

    @Test
    void shouldChangeNothingInADryRun() throws IOException {
        try (FolderTarget target = open(FileContents.DATA)) {
            apply(target, workspace.put("a", "1").put("b", "2").whole());
        }
        SortedMap<String, String> before = everything();
        try (FolderTarget target = open(FileContents.DATA, Optional.empty(), true)) {
            Applied planned = apply(
                    target, workspace.put("a", "3").put("c", "4").remove("b").whole());
            assertThat(planned.status()).isEqualTo(Status.PLANNED);
            assertThat(planned.changes().stream().map(FileDiff::of).toList()).containsExactly("""
                --- a/example/Thing/v1/a.json
                +++ b/example/Thing/v1/a.json
                @@ -1 +1 @@
                -1
                +3
                """, """
                --- a/example/Thing/v1/b.json
                +++ /dev/null
                @@ -1 +0,0 @@
                -2
                """, """
                --- /dev/null
                +++ b/example/Thing/v1/c.json
                @@ -0,0 +1 @@
                +4
                """);
        }
        assertThat(everything()).isEqualTo(before);
    }

    @Test
    void shouldNeverShowASecretDocumentInADiff() throws IOException {
        try (FolderTarget target = open(FileContents.DATA)) {
            apply(
                    target,
                    workspace.secret().put("a", "\"hunter2\"").put("b", "2").whole());
        }
        Workspace later = new Workspace().put("a", "\"plain\"").put("b", "2");
        try (FolderTarget target = open(FileContents.DATA, Optional.empty(), true)) {
            Applied planned = apply(target, later.whole());
            assertThat(planned.changes()).hasSize(1);
            assertThat(FileDiff.of(planned.changes().get(0)))
                    .doesNotContain("hunter2", "plain")
                    .contains("the document has secrets");
            assertThat(planned.toString()).doesNotContain("hunter2");
        }
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void shouldKeepFilesOfSecretDocumentsFromOtherUsers() throws IOException {
        try (FolderTarget target = open(FileContents.DATA)) {
            apply(target, workspace.secret().put("a", "1").whole());
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(root.resolve(file("a")))))
                .isEqualTo("rw-------");
    }

    @Test
    void shouldOmitDocumentsWithSecretsByDefault() throws IOException {
        workspace.put("a", "1").secret(null, "/0").put("b", "[\"hunter2\", 1]");
        try (FolderTarget target = open(FileContents.DATA)) {
            apply(target, workspace.whole());
        }
        try (FolderTarget target = open(Workspace.form(FileContents.DATA, false))) {
            Applied applied = apply(target, workspace.whole());
            assertThat(applied.summary())
                    .isEqualTo("revision 1: 0 created, 0 replaced, 1 removed, 1 unchanged, 1 omitted");
            assertThat(files()).isEqualTo(Map.of(file("a"), "1\n"));
            assertThat(apply(target, workspace.whole()).summary())
                    .isEqualTo("revision 1: 0 created, 0 replaced, 0 removed, 1 unchanged, 1 omitted");
        }
    }

    @Test
    void shouldCountOnlyDocumentsWithAFileAsOmitted() throws IOException {
        String object = "{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":\"x\"},\"data\":{}}";
        workspace.secret("redacted").put("a", "{\"password\":\"****** 6f1c22ab90d1e0f3\"}");
        workspace.secret("redacted", "/data").put("b", object);
        workspace.secret("encrypted").put("c", "{\"$sealed\":\"AWk2\"}"); // its content is unknown without the key
        workspace.put("d", object);
        try (FolderTarget target = open(Workspace.form(FileContents.OBJECT, false))) {
            assertThat(apply(target, workspace.whole()).changes())
                    .extracting(Object::toString)
                    .containsExactly("CREATE " + file("d"), "OMITTED " + file("b"), "OMITTED " + file("c"));
        }
    }

    @Test
    void shouldWriteOnlyObjectsOnRequest() throws IOException {
        String object = "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"x\"}}";
        try (FolderTarget target = open(FileContents.OBJECT)) {
            apply(target, workspace.put("a", object).put("b", "2").whole());
            assertThat(files()).isEqualTo(Map.of(file("a"), object + "\n"));
        }
    }

    @Test
    void shouldRemoveTheFileOfAFormerObject() throws IOException {
        String object = "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"x\"}}";
        try (FolderTarget target = open(FileContents.OBJECT)) {
            apply(target, workspace.put("a", object).put("b", object).whole());
            apply(target, workspace.put("a", "2").revision());
            assertThat(files()).containsOnlyKeys(file("b"));
        }
    }

    @Test
    void shouldRefuseAFolderOfAnotherWorkspaceOrOneThatIsInUse() throws IOException {
        try (FolderTarget target = open(FileContents.DATA)) {
            apply(target, workspace.put("a", "1").whole());
            assertThatThrownBy(() -> open(FileContents.DATA))
                    .isInstanceOf(FileSystemException.class)
                    .hasMessageContaining("another applier");
        }
        assertThatThrownBy(() -> FolderTarget.open(
                        root,
                        "site-b",
                        Workspace.form(FileContents.DATA, true),
                        new RemovalRule(Optional.empty()),
                        false))
                .isInstanceOf(FileSystemException.class)
                .hasMessageContaining("belongs to the workspace site-a");
    }

    @Test
    void shouldRefuseADamagedManifest() throws IOException {
        try (FolderTarget target = open(FileContents.DATA)) {
            apply(target, workspace.put("a", "1").whole());
        }
        for (String damaged : new String[] {
            "",
            "strake-files 1\nsite-a",
            "strake-files 2\nsite-a\n",
            "strake-files 1\nsite-a\nabc - x\n",
            "strake-files 1\nsite-a\n" + "0".repeat(64) + " - ../../outside\n",
            "strake-files 1\nsite-a\n" + "0".repeat(64) + " - /outside\n",
            "strake-files 1\nsite-a\n" + "x".repeat(64) + " - a\n",
            "strake-files 1\nsite-a\n" + "0".repeat(64) + " other a\n",
            "strake-files 1\nsite-a\n" + "0".repeat(64) + " - a\0b\n",
        }) {
            Files.writeString(root.resolve(Manifest.PATH), damaged);
            assertThatThrownBy(() -> open(FileContents.DATA))
                    .isInstanceOf(FileSystemException.class)
                    .hasMessageContaining("is damaged");
        }
    }

    @Test
    void shouldRefuseAnOwnFolderThatIsALink() throws IOException {
        Path elsewhere = Files.createDirectories(root.resolveSibling("elsewhere"));
        Files.createDirectories(root);
        Files.createSymbolicLink(root.resolve(".strake"), elsewhere);
        assertThatThrownBy(() -> open(FileContents.DATA))
                .isInstanceOf(FileSystemException.class)
                .hasMessageContainingAll(".strake", "not a link");
        assertThat(elsewhere).isEmptyDirectory();
        Files.delete(root.resolve(".strake"));
        for (String name : new String[] {"files", "lock", "next"}) {
            Path file = root.resolve(".strake").resolve(name);
            Files.createDirectories(file.getParent());
            Files.createSymbolicLink(file, elsewhere.resolve("file"));
            assertThatThrownBy(() -> open(FileContents.DATA))
                    .isInstanceOf(FileSystemException.class)
                    .hasMessageContaining(name);
            Files.delete(file);
            Files.createDirectory(file);
            assertThatThrownBy(() -> open(FileContents.DATA)).isInstanceOf(FileSystemException.class);
            Files.delete(file);
        }
        assertThat(elsewhere).isEmptyDirectory();
    }

    @Test
    void shouldNotWaitForAPipeInItsFolder() throws Exception {
        for (String name : new String[] {"files", "lock", "next"}) {
            Path file = root.resolve(".strake").resolve(name);
            Files.createDirectories(file.getParent());
            assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor())
                    .isZero();
            assertThatThrownBy(() -> open(FileContents.DATA))
                    .isInstanceOf(FileSystemException.class)
                    .hasMessageContaining(name);
            Files.delete(file);
        }
    }

    /** A killed run leaves files of some steps and an outdated manifest; the next run repairs both. */
    @Test
    void shouldRecoverFromAKillAtAnyPoint() throws IOException {
        Random random = new Random(26);
        for (int round = 0; round < 60; round++) {
            Path folder = root.resolve("round-" + round);
            write(folder, file("foreign"), "theirs");
            Workspace site = new Workspace();
            SortedMap<String, String> held = new TreeMap<>();
            for (int step = 0; step < 6; step++) {
                for (int each = 0; each < 4; each++) {
                    String name = "d" + random.nextInt(5);
                    if (random.nextBoolean()) {
                        String data = Integer.toString(random.nextInt(3));
                        site.put(name, data);
                        held.put(file(name), data + "\n");
                    } else if (held.remove(file(name)) != null) {
                        site.remove(name);
                    }
                }
                RenderedUpdate whole = site.whole();
                try (FolderTarget killed = openAnyRemovals(folder)) {
                    List<Step> steps = killed.steps(killed.plan(whole));
                    for (Step each : steps.subList(0, random.nextInt(steps.size() + 1))) {
                        each.take();
                    }
                    write(folder, ".strake/next", "half a fi");
                }
                try (FolderTarget target = openAnyRemovals(folder)) {
                    Applied applied = target.apply(whole, Workspace.ANYWHERE);
                    assertThat(applied.count(Kind.RESTORE)).isZero();
                    assertThat(applied.count(Kind.FOREIGN)).isZero();
                }
                SortedMap<String, String> wanted = new TreeMap<>(held);
                wanted.put(file("foreign"), "theirs");
                assertThat(files(folder)).isEqualTo(wanted);
            }
        }
    }

    private static FolderTarget openAnyRemovals(Path folder) throws IOException {
        RemovalRule any = new RemovalRule(Optional.of(RemovalLimit.NONE));
        return FolderTarget.open(folder, Workspace.NAME, Workspace.form(FileContents.DATA, true), any, false);
    }

    private FolderTarget open(FileForm form) throws IOException {
        return FolderTarget.open(root, Workspace.NAME, form, new RemovalRule(Optional.empty()), false);
    }

    private FolderTarget open(FileContents contents) throws IOException {
        return open(contents, Optional.empty(), false);
    }

    private FolderTarget open(FileContents contents, Optional<RemovalLimit> limit, boolean dryRun) throws IOException {
        return FolderTarget.open(root, Workspace.NAME, Workspace.form(contents, true), new RemovalRule(limit), dryRun);
    }

    private static Applied apply(FolderTarget target, RenderedUpdate update) throws IOException {
        return target.apply(update, Workspace.ANYWHERE);
    }

    private static String file(String name) {
        return "example/Thing/v1/" + name + ".json";
    }

    private void write(String path, String text) throws IOException {
        write(root, path, text);
    }

    private static void write(Path folder, String path, String text) throws IOException {
        Path file = folder.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private SortedMap<String, String> files() throws IOException {
        return files(root);
    }

    private static SortedMap<String, String> files(Path folder) throws IOException {
        SortedMap<String, String> files = everything(folder);
        files.keySet().removeIf(path -> path.startsWith(".strake/"));
        return files;
    }

    private SortedMap<String, String> everything() throws IOException {
        return everything(root);
    }

    private static SortedMap<String, String> everything(Path folder) throws IOException {
        SortedMap<String, String> files = new TreeMap<>();
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : (Iterable<Path>) paths::iterator) {
                if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
                    files.put(folder.relativize(path).toString(), Files.readString(path));
                }
            }
        }
        return files;
    }
}
