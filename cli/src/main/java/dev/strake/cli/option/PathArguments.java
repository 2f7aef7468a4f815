package dev.strake.cli.option;

import dev.strake.cli.files.FileDocuments;
import dev.strake.cli.terminal.Terminal;
import dev.strake.engine.render.Renderer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The files and folders with documents for a command. */
public final class PathArguments {

    @Parameters(
            paramLabel = "PATH",
            arity = "1..*",
            description = "A file, a folder with *.yaml, *.yml and *.json files, or - for the standard input.")
    private List<String> paths = new ArrayList<>();

    @Option(
            names = "--allow-empty",
            description =
                    "Accept an input without documents. Without this option it is refused, because a failed command "
                            + "before a pipe prints nothing.")
    private boolean allowEmpty;

    @Mixin
    private RuleOptions rules;

    /** The renderer for the files. */
    public Renderer renderer(boolean holdDocuments) {
        return rules.renderer(holdDocuments);
    }

    /** Whether there are no documents, and the user did not permit that. Prints the reason to stderr. */
    public boolean isRefused(FileDocuments read, Terminal terminal) {
        boolean isRefused = read.documents().isEmpty() && !allowEmpty;
        if (isRefused) {
            terminal.say("strake: The input holds no documents. If this is intended, add --allow-empty.");
        }
        return isRefused;
    }

    public FileDocuments read(Terminal terminal) throws IOException {
        return FileDocuments.read(paths, terminal.in(), rules.limits(), terminal::say);
    }
}
