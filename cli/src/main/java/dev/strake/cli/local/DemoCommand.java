package dev.strake.cli.local;

import dev.strake.cli.terminal.ExitCode;
import dev.strake.cli.terminal.Terminal;
import dev.strake.cli.terminal.TerminalCommand;
import dev.strake.cli.terminal.UntilStopped;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "demo",
        description = {
            "Show what Strake does, on a real set of documents, and exit.",
            "",
            "Starts a broker and the pipeline in this process, on free ports and in a temporary directory; publishes "
                    + "the bundled site, changes one global document, and prints which rendered documents changed "
                    + "and how fast. Nothing is left behind.",
            "",
            "With --write it only writes the documents of that site to files, for you to try commands on.",
        },
        footer = {
            "",
            "@|bold Examples|@",
            "  strake demo",
            "  strake demo --write airsloop",
            "",
            "Exit codes: 0 success, 2 a file exists already (--write), 3 documents did not render.",
        })
public final class DemoCommand extends TerminalCommand {

    private static final Duration READY = Duration.ofMinutes(2);

    @Option(
            names = "--write",
            paramLabel = "DIR",
            description = "Write the site to this folder. Files that exist are never overwritten.")
    private Optional<Path> folder = Optional.empty();

    @Override
    public Integer call() throws Exception {
        if (folder.isPresent()) {
            BundledSite.write(folder.get());
            terminal.say("The site is in %s. Now try:".formatted(folder.get()));
            terminal.sayCommand("  strake validate " + Terminal.pasted(folder.get()));
            return ExitCode.FINE;
        }
        long begin = System.nanoTime();
        terminal.say("Starting a broker and the pipeline ...");
        TemporaryDirectory directory = TemporaryDirectory.create("strake-demo");
        return BrokerEnd.during(directory.path(), terminal, () -> run(directory, begin));
    }

    private int run(TemporaryDirectory directory, long begin) throws Exception {
        LocalServer local;
        try {
            local = LocalServer.start(Settings.of(List.of(Catalogue.DEFAULTS_OF_UP))
                    .with(Catalogue.DATA, directory.path())
                    .with(Catalogue.HTTP_PORT, 0)
                    .with(Catalogue.PARTITIONS, 1)
                    .with(Catalogue.THREADS, 1)
                    // No warnings about slow changes: the demo prints its durations, and the JVM is cold at first.
                    .with(Catalogue.SLOW_CHANGE, Duration.ofDays(1)));
        } catch (IOException | RuntimeException e) {
            directory.close();
            throw e;
        }
        AutoCloseable both = () -> {
            local.close();
            directory.close();
        };
        return UntilStopped.run(both, () -> {
            local.server().pipeline().awaitReady(READY);
            terminal.say("A Kafka broker on %s and the pipeline are ready after %d ms."
                    .formatted(
                            local.bootstrapServers(),
                            Duration.ofNanos(System.nanoTime() - begin).toMillis()));
            boolean rendered = new Demo(local, terminal).run();
            return rendered ? ExitCode.FINE : ExitCode.RENDER_PROBLEMS;
        });
    }
}
