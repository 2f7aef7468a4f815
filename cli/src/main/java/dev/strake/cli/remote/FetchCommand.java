package dev.strake.cli.remote;

import dev.strake.cli.option.KafkaOptions;
import dev.strake.cli.option.KeysetOption;
import dev.strake.cli.option.SealingOption;
import dev.strake.cli.terminal.ExitCode;
import dev.strake.cli.terminal.TerminalCommand;
import dev.strake.cli.terminal.UntilStopped;
import dev.strake.remote.fetch.FetchSettings;
import dev.strake.remote.fetch.Fetcher;
import dev.strake.remote.fetch.SecretsOfFetcher;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "fetch",
        description = {
            "Fetch what documents of schema razee/RemoteResource/v1alpha2 refer to, in all workspaces, and publish it.",
            "",
            "A changed resource is fetched at once, the others at their interval. Several fetchers of one group share"
                    + " the work. Private addresses are refused unless they are allowed.",
        },
        footer = {
            "",
            "@|bold Examples|@",
            "  strake fetch",
            "  strake fetch --allow-host example.org,*.example.org \\",
            "      --allow-private 10.1.0.0/16",
            "",
            "Exit codes: 0 ended, 2 wrong usage, 4 Kafka unreachable.",
        })
public final class FetchCommand extends TerminalCommand {

    @Mixin
    private KafkaOptions kafka;

    @Mixin
    private FetchPolicyOptions policy;

    @Mixin
    private SealingOption sealing;

    @Mixin
    private KeysetOption keyset;

    @Mixin
    private MetricsOptions metrics;

    @Option(
            names = "--group",
            paramLabel = "GROUP",
            defaultValue = FetchSettings.GROUP,
            description = "The consumer group whose members share the work. Default: ${DEFAULT-VALUE}")
    private String group;

    @Option(
            names = "--interval",
            paramLabel = "SECONDS",
            defaultValue = "300",
            description = "How often a source is fetched if its resource has no interval; varied at random by a tenth. "
                    + "Default: ${DEFAULT-VALUE}")
    private int interval;

    @Option(
            names = "--state",
            paramLabel = "DIR",
            description = "Where copies of repositories are kept; recreated if lost. Default: ~/.cache/strake/fetch")
    private Optional<Path> state = Optional.empty();

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "How long to wait for each answer of Kafka and for each outcome. Default: ${DEFAULT-VALUE}")
    private int timeout;

    @Override
    public Integer call() throws Exception {
        if (timeout < 1 || interval < 1) {
            throw usage("--timeout and --interval have to be 1 or more.");
        }
        FetchSettings settings = new FetchSettings(
                new FetchSettings.Kafka(
                        kafka.settings(System.getenv()).cluster(),
                        kafka.topicPrefix(),
                        group,
                        Duration.ofSeconds(timeout)),
                policy.policy(),
                Duration.ofSeconds(interval),
                state.orElseGet(() -> Path.of(System.getProperty("user.home"), ".cache", "strake", "fetch")),
                new SecretsOfFetcher(sealing.sealing(), keyset.opening()));
        try (MetricsOptions.Shown shown = metrics.show(terminal)) {
            FetchMetrics counted = new FetchMetrics(new FetchReport(terminal), shown.registry(), Clock.systemUTC());
            Fetcher fetcher = new Fetcher(settings, counted, Clock.systemUTC());
            return UntilStopped.run(fetcher, () -> {
                fetcher.run();
                return ExitCode.FINE;
            });
        }
    }
}
