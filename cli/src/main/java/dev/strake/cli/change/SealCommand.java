package dev.strake.cli.change;

import dev.strake.cli.files.FileDocuments;
import dev.strake.cli.option.DocumentLanguage;
import dev.strake.cli.option.PathArguments;
import dev.strake.cli.option.SealingOption;
import dev.strake.cli.option.UrlOption;
import dev.strake.cli.option.WorkspaceOption;
import dev.strake.cli.terminal.ExitCode;
import dev.strake.cli.terminal.TerminalCommand;
import dev.strake.engine.document.Document;
import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.keyset.PublishingKey;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "seal",
        description = {
            "Encrypt secret documents, so that they can be kept in git.",
            "",
            "Prints the documents of the files, and seals the data of those with storagePolicy encrypted for one "
                    + "workspace. Only the service can decrypt it, and only as this document of this workspace. Other "
                    + "documents, and sealed ones, are printed unchanged. Comments are lost.",
        },
        footer = {
            "",
            "@|bold Examples|@",
            "  strake keys public /etc/strake/keyset > publishing-key",
            "  strake seal -w site-a --public-key publishing-key secrets.yaml > sealed.yaml",
            "  strake seal -w site-a --url https://strake.example.com - < secrets.yaml",
            "",
            "Exit codes: 0 sealed, 1 invalid documents or none, 2 a key that cannot be used.",
        })
public final class SealCommand extends TerminalCommand {

    @Mixin
    private WorkspaceOption workspace;

    @Mixin
    private PathArguments paths;

    @Mixin
    private SealingOption sealing;

    @Mixin
    private UrlOption url;

    @Option(
            names = {"-o", "--output"},
            defaultValue = "yaml",
            description = "yaml (a stream of documents) or json (an array). Default: ${DEFAULT-VALUE}.")
    private DocumentLanguage format;

    @Override
    public Integer call() throws IOException, InterruptedException {
        String name = workspace.name();
        FileDocuments read = paths.read(terminal);
        read.warnings().forEach(warning -> terminal.say("warning: " + warning.describe()));
        read.problems().forEach(problem -> terminal.say(problem.describe()));
        if (!read.problems().isEmpty() || paths.isRefused(read, terminal)) {
            return ExitCode.DIFFERENT_OR_INVALID;
        }
        Optional<PublishingKey> key = sealing.key(url);
        if (key.isEmpty()) {
            throw usage("Missing key. Give --public-key, or --url of a Strake that has a keyset.");
        }
        List<MapValue> documents = read.documents().stream().map(Document::tree).toList();
        List<MapValue> sealed = SealingOption.sealed(documents, name, key.get());
        format.print(terminal.out(), sealed);
        return ExitCode.FINE;
    }
}
