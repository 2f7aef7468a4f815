package dev.strake.bench;

import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.change.ChangeType;
import dev.strake.service.server.LocalServer;
import dev.strake.topology.TopologySettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Measures Strake through a real broker in this JVM, and an identity topology on the same broker with the same
 * settings and records of the same size, one after the other.
 *
 * <p>Latency is open-loop: from the time at which a change was meant to be sent, whether or not the system was ready
 * for it, to the arrival of the committed record at a consumer.
 */
public final class EndToEnd {

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final String CHANGES = "strake.document-changes";
    private static final String RENDERED = "strake.rendered-documents";
    private static final String OUTCOMES = "strake.outcomes";

    private final int documents;
    private final int changes;
    private final int rate;
    private final int children;
    private final List<Result> results = new ArrayList<>();
    private final AtomicReference<Exception> sendError = new AtomicReference<>();
    private Future<RecordMetadata> lastSent;

    /** One figure. */
    public record Result(String what, double value, String unit) {}

    /**
     * A run of this size.
     *
     * @param documents in the workspace
     * @param changes of single documents, for latency
     * @param rate of those changes, each second
     * @param children of one parent, for fan-out
     */
    public EndToEnd(int documents, int changes, int rate, int children) {
        this.documents = documents;
        this.changes = changes;
        this.rate = rate;
        this.children = children;
    }

    /** Runs with the sizes given as arguments: documents, changes, rate and children. Prints a table, then JSON. */
    public static void main(String[] args) throws Exception {
        EndToEnd run = new EndToEnd(
                args.length > 0 ? Integer.parseInt(args[0]) : 10_000,
                args.length > 1 ? Integer.parseInt(args[1]) : 4_000,
                args.length > 2 ? Integer.parseInt(args[2]) : 200,
                args.length > 3 ? Integer.parseInt(args[3]) : 10_000);
        List<Result> results = run.run();
        StringBuilder json = new StringBuilder("{");
        for (Result result : results) {
            System.out.printf("%-62s %12.2f %s%n", result.what(), result.value(), result.unit());
            json.append(json.length() > 1 ? ", " : "")
                    .append('"')
                    .append(result.what())
                    .append(" (")
                    .append(result.unit())
                    .append(")\": ")
                    .append(String.format(Locale.ROOT, "%.3f", result.value()));
        }
        System.out.println(json.append('}'));
    }

    /** All measurements, in their order. */
    public List<Result> run() throws IOException, ExecutionException, InterruptedException {
        Path directory = Files.createTempDirectory("strake-bench");
        try (LocalServer strake = LocalServer.start(
                new LocalServer.Settings(directory.resolve("strake"), 0, 0, 1, 1, TopologySettings.of(1)))) {
            strake.server().pipeline().awaitReady(PATIENCE);
            try (KafkaProducer<byte[], byte[]> producer = producer(strake.bootstrapServers())) {
                firstLoad(strake, producer);
                byte[] rendered = oneDocument(strake, producer);
                identity(strake, producer, directory, false, rendered);
                identity(strake, producer, directory, true, rendered);
                fanOut(strake, producer);
            }
        } finally {
            delete(directory);
        }
        return results;
    }

    private void firstLoad(LocalServer strake, KafkaProducer<byte[], byte[]> producer) throws InterruptedException {
        List<MapValue> set = new DocumentSets(7).set(documents);
        double seconds = load(strake, producer, "bench", set, "first-load");
        add("first load of " + documents + " documents", seconds, "s");
    }

    /* In parts of a megabyte, as the publish command does. */
    private double load(
            LocalServer strake, KafkaProducer<byte[], byte[]> producer, String workspace, List<MapValue> set, String id)
            throws InterruptedException {
        List<byte[]> parts = new ArrayList<>();
        List<MapValue> part = new ArrayList<>();
        long weight = 0;
        for (MapValue document : set) {
            part.add(document);
            weight += document.weight();
            if (weight > 1 << 20) {
                parts.add(JsonBytes.of(ListValue.of(part)));
                part.clear();
                weight = 0;
            }
        }
        parts.add(JsonBytes.of(ListValue.of(part)));
        try (Arrivals outcomes = new Arrivals(strake.bootstrapServers(), OUTCOMES, HeaderNames.CHANGE_ID)) {
            long start = System.nanoTime();
            for (int i = 0; i < parts.size(); i++) {
                ProducerRecord<byte[], byte[]> record =
                        record(CHANGES, workspace, parts.get(i), id, ChangeType.BUCKET_PUT);
                record.headers().add(HeaderNames.PART, ((i + 1) + "/" + parts.size()).getBytes(StandardCharsets.UTF_8));
                send(producer, record);
            }
            int all = parts.size();
            await(() -> outcomes.records() == all, "the outcome of " + id);
            return (outcomes.lastArrival() - start) / 1e9;
        }
    }

    private byte[] oneDocument(LocalServer strake, KafkaProducer<byte[], byte[]> producer) throws InterruptedException {
        int leaves = documents / 2;
        IntFunction<ProducerRecord<byte[], byte[]>> change = i -> {
            int leaf = i % leaves;
            int allLeaves = Math.max(1, documents * 9 / 10);
            MapValue document =
                    DocumentSets.leaf(leaf, leaf % (allLeaves / 20 + 1), leaf % (allLeaves / 50 + 1), 1 + i);
            byte[] body = JsonBytes.of(document);
            return record(CHANGES, "bench", body, "leaf-" + i, ChangeType.DOCUMENTS_PUT);
        };
        openLoop(
                "one-document change",
                strake.bootstrapServers(),
                RENDERED,
                HeaderNames.CHANGE_ID,
                producer,
                change,
                "leaf-");
        closedLoop("one-document changes", strake.bootstrapServers(), RENDERED, producer, change);
        return new byte[2_000];
    }

    private void identity(
            LocalServer strake, KafkaProducer<byte[], byte[]> producer, Path directory, boolean withStore, byte[] value)
            throws ExecutionException, InterruptedException {
        String name = withStore ? "identity with a store" : "identity";
        String prefix = withStore ? "stored-" : "plain-";
        new Random(3).nextBytes(value);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", strake.bootstrapServers()))) {
            var existing = admin.listTopics().names().get();
            for (String topic : List.of(IdentityTopology.IN, IdentityTopology.OUT)) {
                if (!existing.contains(topic)) {
                    admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1)))
                            .all()
                            .get();
                }
            }
        }
        Map<String, Object> settings = strake.server().pipeline().streamsSettings();
        try (IdentityTopology identity =
                new IdentityTopology(settings, directory.resolve("identity-" + withStore), withStore)) {
            await(identity::isRunning, name + " to run");
            IntFunction<ProducerRecord<byte[], byte[]>> change =
                    i -> record(IdentityTopology.IN, "key-" + i % 10_000, value, prefix + i, ChangeType.DOCUMENTS_PUT);
            openLoop(
                    name, strake.bootstrapServers(), IdentityTopology.OUT, HeaderNames.CE_ID, producer, change, prefix);
            closedLoop(name, strake.bootstrapServers(), IdentityTopology.OUT, producer, change);
        }
    }

    private void openLoop(
            String name,
            String bootstrapServers,
            String topic,
            String header,
            KafkaProducer<byte[], byte[]> producer,
            IntFunction<ProducerRecord<byte[], byte[]>> change,
            String prefix)
            throws InterruptedException {
        int warmUp = Math.min(changes / 4, 500);
        int all = warmUp + changes;
        long[] intended = new long[all];
        try (Arrivals arrivals = new Arrivals(bootstrapServers, topic, header)) {
            long start = System.nanoTime();
            for (int i = 0; i < all; i++) {
                intended[i] = start + i * 1_000_000_000L / rate;
                while (System.nanoTime() < intended[i]) {
                    LockSupport.parkNanos(intended[i] - System.nanoTime());
                }
                send(producer, change.apply(i));
            }
            await(() -> arrivals.of(prefix + (all - 1)) != null, "the last record of " + name);
            long[] latencies = new long[changes];
            for (int i = warmUp; i < all; i++) {
                latencies[i - warmUp] = arrivals.of(prefix + i) - intended[i];
            }
            Arrays.sort(latencies);
            add(name + " at " + rate + "/s, latency p50", latencies[changes / 2] / 1e6, "ms");
            add(name + " at " + rate + "/s, latency p99", latencies[changes * 99 / 100] / 1e6, "ms");
        }
    }

    /* As fast as it goes; the ids go on where the open loop ended, so that nothing is a duplicate. */
    private void closedLoop(
            String name,
            String bootstrapServers,
            String topic,
            KafkaProducer<byte[], byte[]> producer,
            IntFunction<ProducerRecord<byte[], byte[]>> change)
            throws InterruptedException {
        int count = changes * 4;
        try (Arrivals arrivals = new Arrivals(bootstrapServers, topic, HeaderNames.CE_ID)) {
            long start = System.nanoTime();
            for (int i = 0; i < count; i++) {
                send(producer, change.apply(changes * 2 + i));
            }
            await(() -> arrivals.records() >= count, "all records of " + name);
            add(name + ", throughput", count / ((arrivals.lastArrival() - start) / 1e9), "records/s");
        }
    }

    private void fanOut(LocalServer strake, KafkaProducer<byte[], byte[]> producer) throws InterruptedException {
        DocumentSets sets = new DocumentSets(11);
        double seconds = load(strake, producer, "fan", sets.family(children), "fan-load");
        add("first load of " + children + " children of one parent", seconds, "s");
        int rounds = 5;
        double best = Double.MAX_VALUE;
        for (int round = 1; round <= rounds; round++) {
            byte[] body = JsonBytes.of(sets.parent(0, round));
            int expected = children;
            try (Arrivals arrivals = new Arrivals(strake.bootstrapServers(), RENDERED, HeaderNames.CHANGE_ID)) {
                long start = System.nanoTime();
                send(producer, record(CHANGES, "fan", body, "fan-" + round, ChangeType.DOCUMENTS_PUT));
                await(() -> arrivals.records() >= expected, "the children of round " + round);
                best = Math.min(best, (arrivals.lastArrival() - start) / 1e9);
            }
        }
        add("fan-out to " + children + " children in one revision, best of " + rounds, best * 1000, "ms");
        add("fan-out, records out", children / best, "records/s");
    }

    private static ProducerRecord<byte[], byte[]> record(
            String topic, String key, byte[] value, String id, ChangeType type) {
        ProducerRecord<byte[], byte[]> record =
                new ProducerRecord<>(topic, key.getBytes(StandardCharsets.UTF_8), value);
        record.headers().add(HeaderNames.CE_ID, id.getBytes(StandardCharsets.UTF_8));
        record.headers().add(HeaderNames.CE_TYPE, type.text().getBytes(StandardCharsets.UTF_8));
        return record;
    }

    /* Records that cannot be sent show as arrivals that never come; the first error says why. */
    private void send(KafkaProducer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> record) {
        lastSent = producer.send(record, (metadata, error) -> {
            if (error != null) {
                sendError.compareAndSet(null, error);
            }
        });
    }

    private static KafkaProducer<byte[], byte[]> producer(String bootstrapServers) {
        Map<String, Object> config = Map.of(
                "bootstrap.servers", bootstrapServers,
                "linger.ms", "0",
                "batch.size", "131072",
                "compression.type", "lz4",
                "max.request.size", Integer.toString(16 << 20));
        return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private void add(String what, double value, String unit) {
        results.add(new Result(what, value, unit));
    }

    private void await(BooleanSupplier condition, String what) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end || sendError.get() != null) {
                boolean sent = lastSent == null || lastSent.isDone();
                throw new IllegalStateException(
                        "waited too long for " + what + (sent ? "" : ", not all is sent"), sendError.get());
            }
            LockSupport.parkNanos(1_000_000);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
