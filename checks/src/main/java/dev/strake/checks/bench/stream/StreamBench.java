package dev.strake.checks.bench.stream;

import dev.strake.checks.bench.DocumentSets;
import dev.strake.checks.bench.Figures;
import dev.strake.checks.bench.stream.IdentityTopology.Kind;
import dev.strake.checks.bench.stream.Load.Throughput;
import dev.strake.cli.local.TemporaryDirectory;
import dev.strake.server.Server;
import dev.strake.server.broker.EmbeddedBroker;
import dev.strake.server.kafka.KafkaSettings;
import dev.strake.server.pipeline.PipelineSettings;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures Strake with a real broker in this JVM, in turns with a topology that only forwards records. */
@Command(
        name = "stream",
        mixinStandardHelpOptions = true,
        description = {
            "Measures end to end through a real broker, beside an identity topology: latency of one-document changes at "
                    + "fixed rates, throughput of one and of many workspaces, first load of many, fan-out.",
            "Latency is from the time at which a change was meant to be sent to the arrival of its committed record."
        })
public final class StreamBench implements Callable<Integer> {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int TURNS = 10;

    @Option(
            names = "--documents",
            paramLabel = "N",
            defaultValue = "10000",
            description = "Size of the workspace that changes. Default: ${DEFAULT-VALUE}")
    private int documents;

    @Option(
            names = "--changes",
            paramLabel = "N",
            defaultValue = "4000",
            description = "Changes at each rate; four times as many at least for throughput. Default: ${DEFAULT-VALUE}")
    private int changes;

    @Option(
            names = "--warm-up",
            paramLabel = "N",
            defaultValue = "20000",
            description =
                    "Changes before the first one that is measured, as fast as they go, for Strake and for what it is "
                            + "compared with: so many until most code is compiled. Default: ${DEFAULT-VALUE}")
    private int warmUp;

    @Option(
            names = "--settle",
            paramLabel = "N",
            defaultValue = "60",
            description =
                    "Seconds of a load before the first change of it that counts: code is compiled anew when the load "
                            + "changes, and that takes a core. Throughput is measured for a third of them. Default: ${DEFAULT-VALUE}")
    private int settle;

    @Option(
            names = "--rates",
            paramLabel = "N",
            split = ",",
            defaultValue = "200",
            description = "Changes a second. Default: ${DEFAULT-VALUE}")
    private List<Integer> rates;

    @Option(
            names = "--workspaces",
            paramLabel = "N",
            defaultValue = "50",
            description =
                    "Workspaces of 200 documents for the throughput of many; 0 leaves it out. Default: ${DEFAULT-VALUE}")
    private int workspaces;

    @Option(
            names = "--bulk",
            paramLabel = "N",
            defaultValue = "200",
            description =
                    "Workspaces of 427 documents, as many as airsloop has, that are loaded all at once; 0 leaves it out. "
                            + "Default: ${DEFAULT-VALUE}")
    private int bulk;

    @Option(
            names = "--children",
            paramLabel = "N",
            split = ",",
            defaultValue = "10000",
            description =
                    "Children of the parent that changes, for fan-out; 0 leaves it out. Default: ${DEFAULT-VALUE}")
    private List<Integer> children;

    @Option(
            names = "--partitions",
            paramLabel = "N",
            description = "Of every topic. Default, as of strake up: ${DEFAULT-VALUE}")
    private int partitions = Settings.of(List.of(Catalogue.DEFAULTS_OF_UP)).get(Catalogue.PARTITIONS);

    @Option(
            names = "--threads",
            paramLabel = "N",
            description =
                    "Of either topology. Default, as of strake up, one more than there are processors: ${DEFAULT-VALUE}")
    private int threads = Math.min(partitions, PipelineSettings.defaultThreads());

    @Option(
            names = "--kafka-config",
            paramLabel = "FILE",
            description = "Properties for Kafka's clients and streams, for both topologies: to compare settings.")
    private Optional<Path> kafkaConfig = Optional.empty();

    @Option(
            names = "--json",
            paramLabel = "FILE",
            defaultValue = "checks/target/stream.json",
            description = "Where to write the figures. Default: ${DEFAULT-VALUE}")
    private Path json;

    private Figures figures;

    @Override
    public Integer call() throws Exception {
        figures = new Figures(
                "checks/bench stream --documents %d --changes %d --warm-up %d --settle %d --rates %s --workspaces %d --bulk %d --children %s --partitions %d --threads %d"
                        .formatted(
                                documents,
                                changes,
                                warmUp,
                                settle,
                                Figures.list(rates),
                                workspaces,
                                bulk,
                                Figures.list(children),
                                partitions,
                                threads),
                System.out);
        try (TemporaryDirectory scratch = TemporaryDirectory.create("strake-bench");
                EmbeddedBroker broker = EmbeddedBroker.start(scratch.path().resolve("kafka"), 0)) {
            measure(scratch.path(), broker.bootstrapServers());
        }
        figures.write(json);
        return 0;
    }

    private void measure(Path directory, String bootstrapServers)
            throws IOException, InterruptedException, ExecutionException {
        try (Server server = start(directory, bootstrapServers);
                Load load = new Load(bootstrapServers)) {
            server.pipeline().awaitReady(PATIENCE);
            Map<String, Object> streamsSettings = server.pipeline().streamsSettings();
            Workspaces one = new Workspaces("bench", 1, DocumentSets.ofSize(7, documents));
            figures.add("first load of %,d documents".formatted(documents), one.load(bootstrapServers) / 1e9, "s");
            Subject subject = one.oneDocument();
            load.atOnce(subject, warmUp);
            try (IdentityTopology plain =
                    IdentityTopology.start(streamsSettings, bootstrapServers, directory, partitions, Kind.PLAIN)) {
                load.await(plain::isRunning, Kind.PLAIN + " to run");
                Subject identity = one.identity(Kind.PLAIN, partitions);
                load.atOnce(identity, warmUp);
                for (int rate : rates) {
                    rate(load, rate, subject, identity);
                }
            }
            throughput(load, subject, "one-document changes in one workspace");
            if (workspaces > 0) {
                Workspaces many = new Workspaces("many", workspaces, DocumentSets.ofSize(9, 200));
                many.load(bootstrapServers);
                throughput(load, many.oneDocument(), "one-document changes in %,d workspaces".formatted(workspaces));
            }
            if (bulk > 0) {
                bulk(load, new Workspaces("bulk", bulk, DocumentSets.ofSize(13, 427)));
            }
            fanOuts(load, streamsSettings, directory, bootstrapServers);
        }
    }

    private Server start(Path directory, String bootstrapServers) throws IOException {
        PipelineSettings settings = new PipelineSettings(
                KafkaSettings.of(Optional.of(bootstrapServers), kafkaConfig, Map.of()),
                Settings.of(List.of(Catalogue.DEFAULTS_OF_UP))
                        .with(Catalogue.TOPIC_PREFIX, Workspaces.PREFIX)
                        .with(Catalogue.PARTITIONS, partitions)
                        .with(Catalogue.THREADS, threads)
                        .with(Catalogue.DATA, directory)
                        .with(Catalogue.HTTP_PORT, 0));
        return Server.start(settings);
    }

    /*
     * Both topologies run all the time, in turns of some seconds: within minutes the machine may become a fifth slower,
     * which is more than the ratio to measure. The idle one only polls its broker.
     */
    private void rate(Load load, int rate, Subject strake, Subject identity) throws InterruptedException {
        List<Latencies> ours = new ArrayList<>();
        List<Latencies> theirs = new ArrayList<>();
        load.atRate(strake, rate, 0, rate * settle);
        load.atRate(identity, rate, 0, rate * settle);
        int each = (changes + TURNS - 1) / TURNS;
        for (int turn = 0; turn < TURNS; turn++) {
            ours.add(load.atRate(strake, rate, Math.min(rate, each), each));
            theirs.add(load.atRate(identity, rate, Math.min(rate, each), each));
        }
        Latencies strakes = Latencies.together(ours);
        Latencies identitys = Latencies.together(theirs);
        strakes.addTo(figures, "one-document change among %,d at %,d/s".formatted(documents, rate));
        identitys.addTo(figures, "%s at %,d/s".formatted(identity.name(), rate));
        figures.addRatio("Strake / %s, p50".formatted(identity.name()), strakes.millis(0.5), identitys.millis(0.5));
        figures.addRatio("Strake / %s, p99".formatted(identity.name()), strakes.millis(0.99), identitys.millis(0.99));
    }

    private void fanOuts(Load load, Map<String, Object> streamsSettings, Path directory, String bootstrapServers)
            throws InterruptedException, ExecutionException {
        List<FanOut> families = children.stream()
                .filter(size -> size > 0)
                .map(size -> new FanOut(figures, settle, size))
                .toList();
        for (FanOut family : families) {
            family.load(bootstrapServers);
        }
        if (!families.isEmpty()) {
            try (IdentityTopology stored =
                    IdentityTopology.start(streamsSettings, bootstrapServers, directory, partitions, Kind.STORE)) {
                load.await(stored::isRunning, Kind.STORE + " to run");
                for (FanOut family : families) {
                    family.byTurns(load, partitions);
                }
            }
        }
    }

    private void bulk(Load load, Workspaces workspaces) throws InterruptedException {
        double seconds = load.until(workspaces.oneDocument(), workspaces.all(), workspaces.rendered()) / 1e9;
        figures.add("first load of %,d workspaces of 427 documents, all at once".formatted(bulk), seconds, "s");
        figures.add("… documents", workspaces.documents() / seconds, "documents/s");
    }

    /*
     * Full load after a warm-up: code is compiled again for more threads and workspaces. Measures for a third of the
     * warm-up time, so that waiting for the first records and the last commit hardly counts.
     */
    private void throughput(Load load, Subject subject, String what) throws InterruptedException {
        long settled = System.nanoTime() + settle * 1_000_000_000L;
        Throughput last;
        do {
            last = load.atOnce(subject, 4 * changes);
        } while (System.nanoTime() < settled);
        Throughput measured = load.atOnce(subject, Math.max(4 * changes, (int) (last.perSecond() * settle / 3)));
        figures.add(what, measured.perSecond(), "records/s");
        figures.add("… CPU of the stream threads for each", measured.cpuMicros(), "µs");
    }
}
