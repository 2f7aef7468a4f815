package dev.strake.cli.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.cli.StrakeCommand;
import dev.strake.cli.terminal.CapturedTerminal;
import dev.strake.cli.terminal.ExitCode;
import dev.strake.engine.document.Document;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.text.DocumentReader;
import dev.strake.serdes.text.Limits;
import dev.strake.serdes.text.ReadDocument;
import dev.strake.serdes.text.TextFormat;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BundledSiteTest {

    @TempDir
    Path folder;

    @Test
    void shouldWriteFilesThatParseToTheSameDocuments() throws Exception {
        Path site = folder.resolve("site");
        StrakeCommand.run(ExitCode.FINE, "demo", "--write", site.toString());
        List<Value> written = new ArrayList<>();
        try (Stream<Path> files = Files.walk(site)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                new DocumentReader(Limits.DEFAULT)
                        .readDocuments(Files.readAllBytes(file), TextFormat.DETECTED, file.toString()).stream()
                                .map(ReadDocument::value)
                                .forEach(written::add);
            }
        }
        assertThat(written)
                .hasSize(427)
                .containsExactlyInAnyOrderElementsOf(
                        BundledSite.documents().stream().map(Document::tree).toList());
        assertThat(StrakeCommand.run(ExitCode.FINE, "validate", site.toString()))
                .isEmpty();
    }

    @Test
    void shouldNotOverwriteAFile() throws Exception {
        Path policy = Files.createDirectories(folder.resolve("global")).resolve("layering-policy.yaml");
        Files.writeString(policy, "mine");
        CapturedTerminal terminal = CapturedTerminal.pipe().run(ExitCode.USAGE, "demo", "--write", folder.toString());
        assertThat(terminal.err()).contains(policy.toString(), "nothing was written");
        try (Stream<Path> files = Files.walk(folder)) {
            assertThat(files.filter(Files::isRegularFile)).containsExactly(policy);
        }
        assertThat(Files.readString(policy)).isEqualTo("mine");
    }
}
