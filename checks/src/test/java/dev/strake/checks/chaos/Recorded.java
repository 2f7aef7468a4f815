package dev.strake.checks.chaos;

import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.change.WorkspaceKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.test.TestRecord;

/**
 * Runs the topology without a broker: a history without faults. A record in the wrong partition is forwarded as in
 * production, so it arrives later than some records sent after it.
 */
final class Recorded implements AutoCloseable {

    private static final Instant BEGIN = Instant.parse("2026-01-31T12:00:00Z");

    /** The number of records that are being forwarded at a time. */
    private static final int ON_THEIR_WAY = 3;

    private final Path directory;
    private final List<RecordedPartition> partitions = new ArrayList<>();
    private final Deque<TestRecord<byte[], byte[]>> onTheirWay = new ArrayDeque<>();

    /** One partition; problems hold back whole revisions. */
    Recorded() {
        this(1, false);
    }

    Recorded(int count, boolean holdDocuments) {
        try {
            directory = Files.createTempDirectory("strake-chaos");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        for (int number = 0; number < count; number++) {
            partitions.add(
                    new RecordedPartition(number, holdDocuments, directory.resolve(String.valueOf(number)), BEGIN));
        }
    }

    /** Runs the topology on the changes of a publisher with this seed. */
    static History of(long seed, int changes) {
        return of(seed, changes, 1, false);
    }

    /** Runs the topology on the changes of a publisher with this seed, and on documents that get into trouble. */
    static History of(long seed, int changes, int partitions, boolean holdDocuments) {
        try (Recorded run = new Recorded(partitions, holdDocuments)) {
            Load load = new Load(seed, "p", "strake.", 3 * partitions, 12, partitions);
            load.beginning().forEach(run::send);
            for (int i = 0; i < changes; i++) {
                run.send(load.next());
            }
            TroubleStory.changes().forEach(run::send);
            return run.history();
        }
    }

    void send(ProducerRecord<byte[], byte[]> record) {
        Integer home = home(record.key());
        int number = record.partition() != null ? record.partition() : home(record.key(), 0);
        RecordedPartition partition = partitions.get(number);
        Instant time = BEGIN.plusMillis(partition.changes());
        TestRecord<byte[], byte[]> change = new TestRecord<>(record.key(), record.value(), record.headers(), time);
        if (home == null || home == number) {
            partition.send(change);
        } else {
            partition.pass(change);
            sendHome(change, RecordedPartition.CHANGES + "-" + number + "-" + (partition.changes() - 1));
        }
    }

    private void sendHome(TestRecord<byte[], byte[]> change, String place) {
        Headers headers = new RecordHeaders(change.headers());
        if (headers.lastHeader(HeaderNames.CE_ID) == null) {
            headers.add(HeaderNames.CE_ID, place.getBytes(StandardCharsets.UTF_8));
        }
        onTheirWay.add(new TestRecord<>(change.key(), change.value(), headers, change.getRecordTime()));
        if (onTheirWay.size() > ON_THEIR_WAY) {
            arrive();
        }
    }

    private void arrive() {
        TestRecord<byte[], byte[]> change = onTheirWay.removeFirst();
        partitions.get(home(change.key())).send(change);
    }

    /* Null if the record belongs to no workspace. */
    private Integer home(byte[] key) {
        String name = key == null ? "" : new String(key, StandardCharsets.ISO_8859_1);
        return WorkspaceKey.isName(name) ? Integer.valueOf(home(key, 0)) : null;
    }

    /* Partitions as the Java producer does. */
    private int home(byte[] key, int withoutKey) {
        return key == null ? withoutKey : Utils.toPositive(Utils.murmur2(key)) % partitions.size();
    }

    void advance(Duration time) {
        partitions.forEach(partition -> partition.advance(time));
    }

    /** The history so far; delivers all forwarded records first. */
    History history() {
        while (!onTheirWay.isEmpty()) {
            arrive();
        }
        Map<String, List<ConsumerRecord<byte[], byte[]>>> records = new TreeMap<>();
        for (String topic : History.TOPICS) {
            List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
            partitions.forEach(partition -> all.addAll(partition.topic(topic)));
            records.put(topic, all);
        }
        return new History("strake.", partitions.size(), records);
    }

    @Override
    public void close() {
        partitions.forEach(RecordedPartition::close);
        Run.delete(directory);
    }
}
