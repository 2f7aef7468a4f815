package dev.strake.remote.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.strake.client.RenderedUpdate;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.serdes.change.RemovalLimit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportedFilesTest implements DocumentResult.Listener {

    private static final FileForm FORM = new FileForm(FileContents.DATA, "json", value -> JsonBytes.text(value), false);

    @TempDir
    Path root;

    private final Workspace workspace = new Workspace();
    private final List<String> heard = new ArrayList<>();
    private RemovalRule rule = new RemovalRule(Optional.empty());

    @Override
    public void became(DocumentResult result) {
        heard.add(result.document().name() + " " + result.status().text() + " " + result.revision());
    }

    @Override
    public void gone(DocumentKey document) {
        heard.add(document.name() + " gone");
    }

    @Test
    void shouldReportTheStatusOfEachDocument() throws Exception {
        apply(workspace.put("a", "1").put("b c/d", "2").whole());
        assertThat(heard()).containsExactly("a applied 1", "b c/d applied 1");
        apply(workspace.put("a", "3").remove("b c/d").revision());
        assertThat(heard()).containsExactly("a applied 2", "b c/d gone");
    }

    @Test
    void shouldReportForeignChangesAndForeignFiles() throws Exception {
        apply(workspace.put("a", "1").whole());
        heard();
        Files.writeString(file("a"), "7");
        Files.createDirectories(file("b"));
        apply(workspace.put("b", "2").whole());
        assertThat(heard()).containsExactly("a drifted 1", "a applied 1", "b held 2");
    }

    @Test
    void shouldReportDocumentsThatWereRemovedWhileStopped() throws Exception {
        apply(workspace.put("a", "1").put("x/y z", "2").whole());
        heard();
        apply(new Workspace().put("a", "1").whole());
        assertThat(heard()).containsExactly("a applied 1", "x/y z gone");
    }

    @Test
    void shouldReportThatARevisionIsHeld() throws Exception {
        apply(workspace.put("a", "1").put("b", "2").put("c", "3").whole());
        heard();
        rule = new RemovalRule(Optional.of(RemovalLimit.parse("1")));
        apply(new Workspace().put("a", "9").whole());
        assertThat(heard()).containsExactly("a held 1");
    }

    @Test
    void shouldReportThatADocumentIsOmittedForItsSecrets() throws Exception {
        apply(workspace.put("a", "1").put("b", "2").secret().put("c", "3").whole());
        assertThat(heard()).containsExactly("a applied 1", "b applied 1", "c omitted 1");
        apply(workspace.secret().put("b", "4").revision());
        assertThat(heard()).containsExactly("b omitted 2");
    }

    @Test
    void shouldReportThatADocumentFailed() {
        ApplyTarget failing = new ApplyTarget() {
            @Override
            public Applied apply(RenderedUpdate update, dev.strake.client.Checkpoint behind) throws IOException {
                throw new IOException("the disk is full");
            }

            @Override
            public void close() {
                // nothing to close
            }
        };
        RenderedUpdate update = workspace.put("a", "1").whole();
        assertThatThrownBy(() -> new ReportedFiles(failing, FORM, this).apply(update, Workspace.ANYWHERE))
                .isInstanceOf(IOException.class);
        assertThat(heard()).containsExactly("a failed 1");
    }

    private List<String> heard() {
        List<String> all = List.copyOf(heard);
        heard.clear();
        return all;
    }

    private Path file(String name) {
        return root.resolve("out").resolve(FORM.path(new DocumentKey("example/Thing/v1", name)));
    }

    private void apply(RenderedUpdate update) throws Exception {
        try (ApplyTarget target = new ReportedFiles(
                FolderTarget.open(root.resolve("out"), Workspace.NAME, FORM, rule, false), FORM, this)) {
            target.apply(update, Workspace.ANYWHERE);
        }
    }
}
