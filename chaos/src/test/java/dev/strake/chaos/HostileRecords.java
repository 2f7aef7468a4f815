package dev.strake.chaos;

import static dev.strake.chaos.HostileValues.WORD;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.TopicNames;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.change.WorkspaceKey;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * What a publisher sends who means ill, by seed; to workspaces of his own, which share partitions with those of others.
 *
 * <p>Not among it: records without a timestamp, which Kafka's producer refuses, and those of more than an hour in the
 * future, which brokers refuse; and patterns whose automaton is too large, which the oracle does not refuse.
 */
final class HostileRecords {

    static final List<String> CODECS = List.of("none", "gzip", "snappy", "lz4", "zstd");

    private static final String TOPIC = "strake." + TopicNames.CHANGES;
    private static final int WORKSPACES = 40;
    private static final int BURST = 100;

    private final long seed;
    private final SplittableRandom random;
    private final int partitions;
    private final HostileValues values = new HostileValues();
    private int ids;
    private int workspaces;

    HostileRecords(long seed, int partitions) {
        this.seed = seed;
        this.random = new SplittableRandom(seed);
        this.partitions = partitions;
    }

    /** Records that are sent without a pause, with any codec that packs unless it is named. */
    record Salvo(String codec, List<ProducerRecord<byte[], byte[]>> records) {}

    /** Small ones, of which many a second may come. */
    Salvo next() {
        return new Salvo(
                CODECS.get(random.nextInt(CODECS.size())),
                switch (random.nextInt(20)) {
                    case 0, 1 -> unattributable();
                    case 2 -> List.of(change(null, new byte[0]), change(null, null));
                    case 3, 4, 5, 6 -> lonelyParts();
                    case 7 -> disagreeingParts();
                    case 8, 9, 10 -> List.of(oddHeaders());
                    case 11 -> List.of(oddTime());
                    case 12, 13 -> List.of(bomb());
                    case 14 -> List.of(pattern());
                    case 15, 16 -> List.of(tag());
                    case 17 -> List.of(rollback());
                    case 18 -> List.of(change(ChangeType.WORKSPACE_DELETE, null), longName());
                    default -> List.of(astray(document("astray")));
                });
    }

    /** One that unpacks to much more than it looks like. */
    Salvo large() {
        int[] sizes = {12, 26, 40, 70};
        byte[] blanks = values.blanks(sizes[random.nextInt(sizes.length)]);
        String codec = CODECS.get(1 + random.nextInt(CODECS.size() - 1));
        return new Salvo(
                codec,
                List.of(
                        switch (random.nextInt(6)) {
                            case 0 -> new ProducerRecord<>(TOPIC, anyPartition(), null, blanks);
                            case 1 -> astray(change(null, blanks));
                            case 2 -> part(change(null, values.blanks(sizes[random.nextInt(3)])), newId(), "1/2");
                            case 3 -> with(change(null, blanks), HeaderNames.CE_TYPE, bytes("unknown." + WORD));
                            default -> change(null, blanks);
                        }));
    }

    /** One that is nearly as large as its topic takes, or is after it was packed. */
    Salvo dense() {
        return switch (random.nextInt(3)) {
            case 0 -> new Salvo("none", List.of(change(null, values.noise(15))));
            case 1 -> new Salvo("gzip", List.of(change(null, values.noise(26))));
            default -> new Salvo("gzip", List.of(astray(change(null, values.noise(26)))));
        };
    }

    /** A gigabyte of blanks for one workspace, in some kilobytes. */
    Salvo burst() {
        String workspace = workspace();
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        for (int i = 0; i < BURST; i++) {
            ProducerRecord<byte[], byte[]> record = change(workspace, null, values.blanks(12));
            records.add(i % 10 == 0 ? record : with(record, HeaderNames.CE_TYPE, bytes("unknown." + WORD)));
        }
        return new Salvo("zstd", records);
    }

    /** A document in a workspace that was not there before. */
    Salvo newWorkspace() {
        return new Salvo(
                "lz4",
                List.of(change("new-" + seed + "-" + workspaces++, null, HostileValues.document("one", "{a: 1}"))));
    }

    private List<ProducerRecord<byte[], byte[]>> unattributable() {
        byte[] noise = new byte[1 + random.nextInt(400)];
        random.nextBytes(noise);
        byte[] key = switch (random.nextInt(4)) {
            case 0 -> null;
            case 1 -> new byte[0];
            case 2 -> bytes("no name " + WORD + "x".repeat(random.nextInt(100_000)));
            default -> noise;
        };
        return List.of(new ProducerRecord<>(TOPIC, anyPartition(), key, random.nextInt(3) == 0 ? null : noise));
    }

    private List<ProducerRecord<byte[], byte[]>> lonelyParts() {
        List<ProducerRecord<byte[], byte[]>> parts = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            parts.add(part(document("part"), newId(), (1 + random.nextInt(2)) + "/1000"));
        }
        return parts;
    }

    private List<ProducerRecord<byte[], byte[]>> disagreeingParts() {
        String workspace = workspace();
        String id = newId();
        return List.of(
                part(change(workspace, null, bytes("a")), id, "1/3"),
                part(change(workspace, null, bytes("a")), id, "1/3"),
                part(change(workspace, null, bytes("b")), id, "1/3"),
                part(change(workspace, null, bytes("b")), id, "2/4"),
                part(change(workspace, ChangeType.DOCUMENTS_PUT, bytes("b")), id, "2/3"),
                with(part(change(workspace, null, bytes("c")), id, "2/3"), HeaderNames.CONTENT_TYPE, bytes("a/b")));
    }

    private ProducerRecord<byte[], byte[]> oddHeaders() {
        ProducerRecord<byte[], byte[]> record = document("headers");
        byte[] invalid = {(byte) 0xC3, (byte) 0x28, (byte) 0xFF};
        return switch (random.nextInt(10)) {
            case 0 -> with(record, "huge", values.blanks(1));
            case 1 -> {
                for (int i = 0; i < 3_000; i++) {
                    with(record, WORD + i, bytes("v"));
                }
                yield record;
            }
            case 2 -> with(record, HeaderNames.CE_ID, invalid);
            case 3 -> with(record, HeaderNames.CE_TYPE, invalid);
            case 4 -> with(record, HeaderNames.BUCKET, bytes("../" + WORD + "b".repeat(5_000)));
            case 5 -> with(record, HeaderNames.CONTENT_TYPE, bytes("text/" + WORD + "; charset=utf-16"));
            case 6 -> with(record, HeaderNames.PART, bytes("999999999/999999999"));
            case 7 -> with(record, HeaderNames.TRACEPARENT, invalid);
            case 8 -> with(record, HeaderNames.CE_ID, null);
            default -> with(record, HeaderNames.CE_ID, bytes(WORD + "i".repeat(100_000)));
        };
    }

    private ProducerRecord<byte[], byte[]> oddTime() {
        ProducerRecord<byte[], byte[]> record = document("time");
        long minutes = random.nextInt(59) * 60_000L;
        long time = random.nextBoolean() ? 0 : System.currentTimeMillis() + minutes;
        return new ProducerRecord<>(
                record.topic(), record.partition(), time, record.key(), record.value(), record.headers());
    }

    private ProducerRecord<byte[], byte[]> bomb() {
        return change(
                null,
                switch (random.nextInt(5)) {
                    case 0 -> HostileValues.aliases(9);
                    case 1 -> HostileValues.deep(50_000);
                    case 2 -> HostileValues.wide(random.nextInt(2), random.nextInt(1_000));
                    case 3 -> bytes("[".repeat(200_000));
                    default -> HostileValues.document("number", "{a: " + "9".repeat(500_000) + "}");
                });
    }

    private ProducerRecord<byte[], byte[]> pattern() {
        return change(
                null,
                switch (random.nextInt(4)) {
                    case 0 ->
                        HostileValues.pattern("^(a+)+" + WORD + "$", "a".repeat(16) + "!"); // so few for the oracle
                    case 1 -> HostileValues.pattern("(?=(a+)+)" + WORD, "a".repeat(10_000));
                    case 2 -> HostileValues.pattern("(x+x+)+y", "x".repeat(14));
                    default ->
                        HostileValues.deepPattern(
                                300 + random.nextInt(150),
                                random.nextBoolean() ? "$ref: '%s'" : "allOf: [{$ref: '%s'}]",
                                random.nextBoolean() ? "^(?:a{0,1000})$" : "((a?){30}){30}");
                });
    }

    private ProducerRecord<byte[], byte[]> tag() {
        String data = random.nextInt(10) == 0 ? "x".repeat(100_000) : "x";
        String tag = "{revision: 1, tag: %s-%d, data: {a: %s}}".formatted(WORD, random.nextInt(1_500), data);
        return change("hostile-tags", ChangeType.TAG, bytes(tag));
    }

    private ProducerRecord<byte[], byte[]> rollback() {
        String[] places = {"999999", "-1", "99999999999999999999", "1.5", "[1]", "null", "0x10", "0"};
        return change(ChangeType.ROLLBACK, bytes("{revision: " + places[random.nextInt(places.length)] + "}"));
    }

    private ProducerRecord<byte[], byte[]> longName() {
        return change(null, HostileValues.document("n".repeat(200 + random.nextInt(2) * 100_000), "{a: 1}"));
    }

    private ProducerRecord<byte[], byte[]> document(String name) {
        return change(null, HostileValues.document(name, "{a: " + random.nextInt(1_000) + "}"));
    }

    private ProducerRecord<byte[], byte[]> change(ChangeType type, byte[] value) {
        return change(workspace(), type, value);
    }

    private ProducerRecord<byte[], byte[]> change(String workspace, ChangeType type, byte[] value) {
        ProducerRecord<byte[], byte[]> record =
                new ProducerRecord<>(TOPIC, WorkspaceKey.partition(workspace, partitions), bytes(workspace), value);
        return type == null ? record : with(record, HeaderNames.CE_TYPE, bytes(type.text()));
    }

    private ProducerRecord<byte[], byte[]> astray(ProducerRecord<byte[], byte[]> record) {
        int wrong = (record.partition() + 1 + random.nextInt(partitions - 1)) % partitions;
        return with(
                new ProducerRecord<>(TOPIC, wrong, null, record.key(), record.value(), record.headers()),
                HeaderNames.CE_ID,
                bytes(newId()));
    }

    private static ProducerRecord<byte[], byte[]> part(ProducerRecord<byte[], byte[]> record, String id, String part) {
        return with(with(record, HeaderNames.CE_ID, bytes(id)), HeaderNames.PART, bytes(part));
    }

    private static ProducerRecord<byte[], byte[]> with(
            ProducerRecord<byte[], byte[]> record, String header, byte[] value) {
        record.headers().add(header, value);
        return record;
    }

    private String workspace() {
        return "hostile-" + random.nextInt(WORKSPACES);
    }

    private int anyPartition() {
        return random.nextInt(partitions);
    }

    private String newId() {
        return "h-" + WORD + "-" + seed + "-" + ids++;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }
}
