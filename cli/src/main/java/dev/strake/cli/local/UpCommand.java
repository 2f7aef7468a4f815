package dev.strake.cli.local;

import dev.strake.cli.option.SettingOptions;
import dev.strake.cli.remote.FetchMetrics;
import dev.strake.cli.remote.FetchPolicyOptions;
import dev.strake.cli.remote.FetchReport;
import dev.strake.cli.terminal.ExitCode;
import dev.strake.cli.terminal.TerminalCommand;
import dev.strake.cli.terminal.UntilStopped;
import dev.strake.client.Cluster;
import dev.strake.remote.fetch.FetchSettings;
import dev.strake.remote.fetch.Fetcher;
import dev.strake.remote.fetch.SecretsOfFetcher;
import dev.strake.remote.fetch.policy.FetchPolicy;
import dev.strake.server.access.InstallationKeys;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Setting;
import dev.strake.server.settings.Settings;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "up",
        description = {
            "Run all of Strake in one process: a Kafka broker, the topics, the pipeline, HTTP and a fetcher.",
            "",
            "Everything listens on 127.0.0.1, except HTTP if strake.http.host is set. The data directory survives "
                    + "restarts and crashes; only one process can use it at a time. Ctrl-C shuts down cleanly.",
        },
        footer = {
            "",
            "@|bold Examples|@",
            "  strake up",
            "  strake up --data /var/lib/strake --kafka-port 19092 --http-port 18080",
            "",
            "Then, from another shell:",
            "  strake init my-site",
            "  strake publish -w my-site --wait my-site/",
            "  strake watch -w my-site --from-beginning",
            "  curl http://127.0.0.1:8080/health/ready",
            "",
            "Exit codes: 0 stopped, 2 busy port or data directory, full disk, or rejected setting.",
        })
public final class UpCommand extends TerminalCommand {

    public static final List<Setting<?>> OPTIONS = List.of(
            Catalogue.DATA,
            Catalogue.HTTP_PORT,
            Catalogue.PARTITIONS,
            Catalogue.ACCESS_TOKENS,
            Catalogue.SECRETS_KEYSET,
            Catalogue.ON_PROBLEM,
            Catalogue.ACCEPT_EMPTY_STATE);

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private static final int MOST_PORT = 65_535;

    @Option(
            names = "--kafka-port",
            paramLabel = "PORT",
            defaultValue = "9092",
            description = "Where the broker listens, 0 for any free port. Default: ${DEFAULT-VALUE}")
    void setKafkaPort(int port) {
        if (port < 0 || port > MOST_PORT) {
            throw usage("--kafka-port has to be 0 to 65535.");
        }
        kafkaPort = port;
    }

    private int kafkaPort;

    @Mixin
    private SettingOptions options;

    @Mixin
    private FetchPolicyOptions fetchPolicy;

    @Override
    public Integer call() throws Exception {
        Settings settings = options.settings(System.getenv(), Catalogue.DEFAULTS_OF_UP);
        FetchPolicy policy = fetchPolicy.policy();
        Path data = settings.get(Catalogue.DATA).toAbsolutePath().normalize();
        terminal.say("Starting a Kafka broker, the pipeline and HTTP in this process. Data is kept in " + data + ".");
        return BrokerEnd.during(data, terminal, () -> serve(settings, policy, data));
    }

    private int serve(Settings settings, FetchPolicy policy, Path data) throws Exception {
        long begin = System.nanoTime();
        LocalServer local = LocalServer.start(settings, kafkaPort);
        Fetcher fetcher = fetcher(local, settings.get(Catalogue.TOPIC_PREFIX), policy, data.resolve("fetch"));
        UntilStopped.serve(closing(fetcher, local), local.server().pipeline(), () -> {
            start(fetcher);
            terminal.out().println("Kafka  " + local.bootstrapServers());
            terminal.out().println("HTTP   " + local.url());
            terminal.out().println("Page   " + local.url() + "/");
            terminal.out().println("Data   " + data);
            terminal.out().flush();
            Duration taken = Duration.ofNanos(System.nanoTime() - begin);
            terminal.say("Ready after %.1f s; Ctrl-C ends it. Next, in another shell:"
                    .formatted(taken.toMillis() / 1_000.0));
            terminal.sayCommand(next(local));
        });
        return ExitCode.FINE;
    }

    private Fetcher fetcher(LocalServer local, String prefix, FetchPolicy policy, Path state) {
        InstallationKeys keys = local.server().keys();
        FetchSettings fetching = new FetchSettings(
                new FetchSettings.Kafka(Cluster.at(local.bootstrapServers()), prefix, FetchSettings.GROUP, TIMEOUT),
                policy,
                FetchSettings.INTERVAL,
                state,
                new SecretsOfFetcher(keys.sealing(), keys.opening()));
        FetchMetrics counted =
                new FetchMetrics(new FetchReport(terminal), local.server().meters(), Clock.systemUTC());
        return new Fetcher(fetching, counted, Clock.systemUTC());
    }

    /* The fetcher starts when the pipeline is ready, and stops before the pipeline. */
    private static void start(Fetcher fetcher) {
        Thread thread = new Thread(
                () -> {
                    try {
                        fetcher.run();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "fetcher");
        thread.setDaemon(true);
        thread.start();
    }

    private static AutoCloseable closing(Fetcher fetcher, LocalServer local) {
        return () -> {
            try (local) {
                fetcher.close();
            }
        };
    }

    /* Commands to paste. They contain only the options whose defaults would be wrong. */
    private static String next(LocalServer local) {
        String kafka = local.bootstrapServers().equals("127.0.0.1:9092")
                ? ""
                : " --bootstrap-servers " + local.bootstrapServers();
        String http = local.url().equals("http://127.0.0.1:8080") ? "" : " --url " + local.url();
        return "  strake init my-site\n  strake publish -w my-site --wait%s my-site/\n  strake get rendered -w my-site%s"
                .formatted(kafka, http);
    }
}
