package dev.strake.service.command;

import dev.strake.service.pipeline.PipelineSettings;
import dev.strake.service.server.Server;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "serve",
        mixinStandardHelpOptions = true,
        description = {
            "Run the pipeline against an existing Kafka cluster.",
            "",
            "Creates the topics that do not exist. Several instances with the same --application-id share the work; "
                    + "each wants a data directory of its own. Any client setting passes through from --kafka-config "
                    + "and KAFKA_*, except those that correctness does not leave open (exactly once).",
        },
        footer = {
            "",
            "@|bold Examples|@",
            "  strake serve --bootstrap-servers kafka-1:9092,kafka-2:9092",
            "  strake serve --bootstrap-servers kafka:9094 --kafka-config client.properties",
            "  KAFKA_SECURITY_PROTOCOL=SASL_SSL KAFKA_SASL_MECHANISM=SCRAM-SHA-512 \\",
            "  KAFKA_SASL_JAAS_CONFIG=\"$JAAS\" strake serve --bootstrap-servers kafka:9094",
        })
final class ServeCommand implements Callable<Integer> {

    private final Terminal terminal;

    @Mixin
    private KafkaOptions kafka;

    @Option(
            names = "--application-id",
            paramLabel = "ID",
            defaultValue = "strake",
            description = "Names the consumer group, the transactions and the changelogs. Default: ${DEFAULT-VALUE}")
    private String applicationId;

    @Option(
            names = "--instance-id",
            paramLabel = "ID",
            description =
                    "A name of this instance that outlives restarts (a pod's name in a StatefulSet): it comes back "
                            + "to its tasks without a rebalance.")
    private Optional<String> instanceId = Optional.empty();

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = "data",
            description = "Where the stores live. Default: ${DEFAULT-VALUE}, in the current directory")
    private Path data;

    @Option(
            names = "--http-host",
            paramLabel = "HOST",
            defaultValue = "127.0.0.1",
            description = "The address on which HTTP listens; there is no authentication. Default: ${DEFAULT-VALUE}")
    private String httpHost;

    @Option(
            names = "--http-port",
            paramLabel = "PORT",
            defaultValue = "8080",
            description = "Where HTTP listens, 0 for any free port. Default: ${DEFAULT-VALUE}")
    private int httpPort;

    @Option(
            names = "--partitions",
            paramLabel = "N",
            defaultValue = "12",
            description = "Partitions of the topics, when they are created. Default: ${DEFAULT-VALUE}")
    private int partitions;

    @Option(
            names = "--replication-factor",
            paramLabel = "N",
            description = "Replicas of the topics, when they are created. Default: what the cluster says")
    private Optional<Short> replication = Optional.empty();

    @Option(names = "--threads", paramLabel = "N", description = "Threads that process. Default: one for each core")
    private Optional<Integer> threads = Optional.empty();

    @Mixin
    private WorkOptions work;

    ServeCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        terminal.progress("starting the pipeline ...");
        PipelineSettings settings = new PipelineSettings(
                kafka.settings(System.getenv()),
                applicationId,
                kafka.topicPrefix(),
                partitions,
                replication,
                threads.orElseGet(() -> Runtime.getRuntime().availableProcessors()),
                data.toAbsolutePath().normalize().resolve("streams"),
                instanceId,
                work.acceptEmptyState(),
                work.settings());
        Server server = Server.start(settings, new InetSocketAddress(httpHost, httpPort));
        UntilStopped.serve(server, server.pipeline(), () -> {
            terminal.clearProgress();
            terminal.out().println("Kafka  " + settings.kafka().bootstrapServers());
            terminal.out().println("HTTP   http://" + httpHost + ":" + server.httpPort());
            terminal.out().flush();
        });
        return ExitCode.FINE;
    }
}
