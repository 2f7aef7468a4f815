package dev.strake.cli.command;

import dev.strake.cli.files.FileDocuments;
import dev.strake.serdes.text.Limits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Parameters;

/** The files and folders with documents that a command was given. */
final class PathArguments {

    @Parameters(
            paramLabel = "PATH",
            arity = "1..*",
            description = "A file, a folder with *.yaml, *.yml and *.json files, or - for the standard input.")
    private List<String> paths = new ArrayList<>();

    FileDocuments read(Terminal terminal) throws IOException {
        terminal.progress("reading documents ...");
        try {
            return FileDocuments.read(paths, terminal.in(), Limits.DEFAULT, terminal::say);
        } finally {
            terminal.clearProgress();
        }
    }
}
