package dev.strake.cli.offline;

import dev.strake.cli.terminal.ExitCode;
import dev.strake.cli.terminal.Terminal;
import dev.strake.cli.terminal.TerminalCommand;
import dev.strake.engine.problem.Location;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "init",
        description = {
            "Write a small example site: a policy, a global document, and a site document that layers on it and "
                    + "substitutes from another one.",
            "",
            "Nothing is written if one of its files exists already.",
        },
        footer = {
            "",
            "@|bold Examples|@",
            "  strake init site-a",
            "  strake render site-a",
            "",
            "Exit codes: 0 written, 2 a file exists already.",
        })
public final class InitCommand extends TerminalCommand {

    private static final String FOLDER = "/dev/strake/cli/init/";

    private static final List<String> FILES =
            List.of("policy.yaml", "global/server.yaml", "site/common.yaml", "site/web.yaml");

    @Parameters(paramLabel = "DIR", description = "The folder to write to; created if missing.")
    private Path folder;

    @Override
    public Integer call() throws IOException {
        for (String name : FILES) {
            if (Files.exists(folder.resolve(name))) {
                throw new FileAlreadyExistsException(
                        folder.resolve(name).toString(), null, "it exists already, so nothing was written");
            }
        }
        for (String name : FILES) {
            Path file = folder.resolve(name);
            Files.createDirectories(file.getParent());
            try (InputStream content = InitCommand.class.getResourceAsStream(FOLDER + name)) {
                Files.copy(content, file);
            }
            terminal.out().println(Location.inOneLine(file.toString()));
        }
        terminal.say("Now try:");
        terminal.sayCommand("  strake render " + Terminal.pasted(folder));
        terminal.sayCommand("  strake explain %s --document example/Server/v1/web".formatted(Terminal.pasted(folder)));
        return ExitCode.FINE;
    }
}
