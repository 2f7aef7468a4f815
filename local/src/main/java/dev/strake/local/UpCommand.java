package dev.strake.local;

import dev.strake.cli.command.ExitCode;
import dev.strake.cli.command.SettingOptions;
import dev.strake.cli.command.Terminal;
import dev.strake.cli.command.UntilStopped;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Setting;
import dev.strake.server.settings.Settings;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "up",
        mixinStandardHelpOptions = true,
        description = {
            "Run all of Strake in one process: a Kafka broker, the topics, the pipeline and HTTP.",
            "",
            "Everything listens on 127.0.0.1, but HTTP where strake.http.host says otherwise. The data directory survives restarts and crashes; one process at a "
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

    static final List<Setting<?>> OPTIONS = List.of(
            Catalogue.DATA,
            Catalogue.KAFKA_PORT,
            Catalogue.HTTP_PORT,
            Catalogue.PARTITIONS,
            Catalogue.ON_PROBLEM,
            Catalogue.ACCEPT_EMPTY_STATE);

    private final Terminal terminal;

    @Mixin
    private SettingOptions options;

    UpCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        Settings settings = options.settings(System.getenv(), Catalogue.DEFAULTS_OF_UP);
        terminal.progress("starting a broker and the pipeline ...");
        LocalServer local = LocalServer.start(settings);
        UntilStopped.serve(local, local.server().pipeline(), () -> {
            terminal.clearProgress();
            terminal.out().println("Kafka  " + local.bootstrapServers());
            terminal.out().println("HTTP   " + local.url());
            terminal.out()
                    .println("Data   "
                            + settings.get(Catalogue.DATA).toAbsolutePath().normalize());
            terminal.out().flush();
        });
        return ExitCode.FINE;
    }
}
