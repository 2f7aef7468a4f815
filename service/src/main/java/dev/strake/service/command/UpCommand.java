package dev.strake.service.command;

import dev.strake.service.server.LocalServer;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "up",
        mixinStandardHelpOptions = true,
        description = {
            "Run all of Strake in one process: a Kafka broker, the topics, the pipeline and HTTP.",
            "",
            "Everything listens on 127.0.0.1 only. The data directory survives restarts and crashes; one process at a "
                    + "time uses it. Ctrl-C ends in order.",
        },
        footer = {
            "",
            "@|bold Examples|@",
            "  strake up",
            "  strake up --data /var/lib/strake --kafka-port 19092 --http-port 18080",
            "",
            "Then, from another shell:",
            "  strake publish -w site-a --wait site/",
            "  strake watch -w site-a --from-beginning",
            "  curl http://127.0.0.1:8080/health/ready",
        })
final class UpCommand implements Callable<Integer> {

    private final Terminal terminal;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = "data",
            description = "Where everything is kept. Default: ${DEFAULT-VALUE}, in the current directory")
    private Path data;

    @Option(
            names = "--kafka-port",
            paramLabel = "PORT",
            defaultValue = "9092",
            description = "Where the broker listens, 0 for any free port. Default: ${DEFAULT-VALUE}")
    private int kafkaPort;

    @Option(
            names = "--http-port",
            paramLabel = "PORT",
            defaultValue = "8080",
            description = "Where HTTP listens, 0 for any free port. Default: ${DEFAULT-VALUE}")
    private int httpPort;

    @Option(
            names = "--partitions",
            paramLabel = "N",
            defaultValue = "4",
            description = "Partitions of the topics, when they are created. Default: ${DEFAULT-VALUE}")
    private int partitions;

    @Mixin
    private WorkOptions work;

    UpCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        terminal.progress("starting a broker and the pipeline ...");
        int threads = Math.min(partitions, Runtime.getRuntime().availableProcessors());
        LocalServer local = LocalServer.start(new LocalServer.Settings(
                data, kafkaPort, httpPort, partitions, threads, work.acceptEmptyState(), work.settings()));
        UntilStopped.serve(local, local.server().pipeline(), () -> {
            terminal.clearProgress();
            terminal.out().println("Kafka  " + local.bootstrapServers());
            terminal.out().println("HTTP   " + local.url());
            terminal.out().println("Data   " + data.toAbsolutePath().normalize());
            terminal.out().flush();
        });
        return ExitCode.FINE;
    }
}
