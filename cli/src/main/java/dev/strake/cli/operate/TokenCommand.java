package dev.strake.cli.operate;

import dev.strake.cli.terminal.ExitCode;
import dev.strake.cli.terminal.TerminalCommand;
import dev.strake.serdes.text.PlainFile;
import dev.strake.server.access.Grant;
import dev.strake.server.access.Token;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "token",
        description = {
            "Create a token for a client of Strake's HTTP API.",
            "",
            "Prints the token, and below it the line for the file that strake.access.tokens names. The line does not "
                    + "contain the token. A running Strake reads new lines within seconds. Roles are reader, "
                    + "publisher, secrets-reader and admin; in workspace names, * stands for any characters.",
        },
        footer = {
            "",
            "@|bold Examples|@",
            "  strake token ci-site-a publisher@site-a",
            "  strake token alice reader@* publisher@site-* --file /etc/strake/tokens",
            "  STRAKE_TOKEN=strake_... strake get documents -w site-a",
            "",
            "Exit codes: 0 success, 2 an invalid name or grant, or a file that cannot be written.",
        })
public final class TokenCommand extends TerminalCommand {

    @Parameters(
            index = "0",
            paramLabel = "NAME",
            description = "The owner of the token. Requests are recorded under this name.")
    private String name;

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "ROLE@WORKSPACES",
            description = "What its owner may do, such as reader@* or publisher@site-a.")
    private List<String> grants;

    @Option(
            names = "--file",
            paramLabel = "FILE",
            description = "Add the line to this file instead of printing it. The file is created if missing.")
    private Optional<Path> file = Optional.empty();

    @Override
    public Integer call() throws IOException {
        Token token = Token.create();
        String line = line(token);
        if (file.isPresent()) {
            add(line, file.get());
        }
        terminal.out().println(token.secret());
        if (file.isEmpty()) {
            terminal.out().println(line);
        }
        terminal.say("Strake does not keep the token, so it cannot be shown again. Hand it to " + name + " alone.");
        return ExitCode.FINE;
    }

    private String line(Token token) {
        try {
            return token.line(name, grants.stream().map(Grant::parse).toList());
        } catch (IllegalArgumentException e) {
            throw usage(e);
        }
    }

    /* Appends a line. A user may have written the last line of the file without a line break. */
    private static void add(String line, Path file) throws IOException {
        String before = Files.exists(file) ? Files.readString(PlainFile.of(file)) : "";
        String between = before.isEmpty() || before.endsWith("\n") ? "" : "\n";
        Files.writeString(file, between + line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
