import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.utils.Utils;

/**
 * Keeps a folder equal to the rendered documents of a workspace, a whole revision at a time.
 *
 *   java -cp service/target/strake.jar deploy/examples/RenderedFolder.java localhost:9092 site-a folder
 *
 * 1. Reads committed records only, from the beginning the first time: the topic is compacted, so that is the present.
 * 2. Acts at the outcome, not at each record: once what it holds has the content hash of the last outcome.
 * 3. A record without a value is a document that is gone.
 * 4. Keeps its positions beside what it wrote, and goes on from there; if they are too old, it begins anew.
 */
public final class RenderedFolder {

    /** Tombstones are kept for a week: who was away for longer has missed some. */
    private static final Duration LONGEST_ABSENCE = Duration.ofDays(6);

    private static final String POSITIONS = ".positions";

    private final ObjectMapper json = new ObjectMapper();
    private final Map<String, byte[]> held = new TreeMap<>(); // "schema|name" → value
    private final Map<String, byte[]> written = new TreeMap<>(); // the same, as the folder has it
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final String workspace;
    private final Path folder;
    private final List<TopicPartition> partitions;
    private String hash; // of the last outcome
    private String revision;

    private RenderedFolder(KafkaConsumer<byte[], byte[]> consumer, String workspace, Path folder) {
        this.consumer = consumer;
        this.workspace = workspace;
        this.folder = folder;
        byte[] key = workspace.getBytes(StandardCharsets.UTF_8);
        int partition = Utils.toPositive(Utils.murmur2(key)) % consumer.partitionsFor("strake.outcomes").size();
        this.partitions = List.of(
                new TopicPartition("strake.rendered-documents", partition),
                new TopicPartition("strake.outcomes", partition));
    }

    public static void main(String[] args) throws Exception {
        // More settings (TLS, SASL) would go in here. There is no group: positions are kept in the folder.
        Map<String, Object> settings = Map.of(
                "bootstrap.servers", args[0],
                "isolation.level", "read_committed",
                "auto.offset.reset", "none",
                "enable.auto.commit", false);
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            RenderedFolder program = new RenderedFolder(consumer, args[1], Files.createDirectories(Path.of(args[2])));
            program.resume();
            while (true) {
                program.step();
            }
        }
    }

    private void resume() throws IOException {
        consumer.assign(partitions);
        Path file = folder.resolve(POSITIONS);
        if (!Files.exists(file)
                || Files.getLastModifiedTime(file).toInstant().isBefore(Instant.now().minus(LONGEST_ABSENCE))) {
            beginAnew();
            return;
        }
        Properties positions = new Properties();
        try (InputStream in = Files.newInputStream(file)) {
            positions.load(in);
        }
        try (var files = Files.newDirectoryStream(folder, "*.json")) {
            for (Path document : files) {
                written.put(key(document.getFileName().toString()), Files.readAllBytes(document));
            }
        }
        held.putAll(written);
        partitions.forEach(partition -> consumer.seek(partition, Long.parseLong(positions.getProperty("" + partition))));
        System.out.println("goes on with " + held.size() + " documents");
    }

    private void beginAnew() {
        held.clear();
        hash = null;
        consumer.seekToBeginning(partitions);
        System.out.println("begins anew");
    }

    private void step() throws Exception {
        try {
            for (ConsumerRecord<byte[], byte[]> message : consumer.poll(Duration.ofSeconds(1))) {
                read(message);
            }
        } catch (InvalidOffsetException e) { // the position is not there any more
            beginAnew();
        }
        // Records of a revision may arrive before or behind its outcome; in between the hashes differ.
        if (hash != null && hash.equals(contentHash())) {
            write();
            hash = null;
        }
    }

    private void read(ConsumerRecord<byte[], byte[]> message) throws IOException {
        String key = new String(message.key(), StandardCharsets.UTF_8);
        if (message.topic().equals("strake.outcomes")) {
            JsonNode outcome = json.readTree(message.value());
            if (key.equals(workspace) && outcome.path("contentHash").isTextual()) {
                hash = outcome.get("contentHash").asText();
                revision = outcome.path("renderedRevision").asText();
            }
        } else if (key.startsWith(workspace + "|")) {
            String name = key.substring(workspace.length() + 1);
            if (message.value() == null) {
                held.remove(name);
            } else {
                held.put(name, message.value());
            }
        }
    }

    /** Sum of the documents' hashes: equal to the outcome's if exactly its documents are held. */
    private String contentHash() throws Exception {
        BigInteger sum = BigInteger.ZERO;
        for (Map.Entry<String, byte[]> document : held.entrySet()) {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            sha.update((document.getKey() + "\n").getBytes(StandardCharsets.UTF_8));
            sum = sum.add(new BigInteger(1, sha.digest(document.getValue())));
        }
        return String.format("%064x", sum.mod(BigInteger.ONE.shiftLeft(256)));
    }

    /** What the program is for. Here only files that differ are touched, and the positions last. */
    private void write() throws IOException {
        int changed = 0;
        for (String name : List.copyOf(written.keySet())) {
            if (!held.containsKey(name)) {
                Files.deleteIfExists(folder.resolve(file(name)));
                changed++;
            }
        }
        for (Map.Entry<String, byte[]> document : held.entrySet()) {
            if (!Arrays.equals(document.getValue(), written.get(document.getKey()))) {
                Files.write(folder.resolve(file(document.getKey())), document.getValue());
                changed++;
            }
        }
        written.clear();
        written.putAll(held);
        Properties positions = new Properties();
        partitions.forEach(partition -> positions.setProperty("" + partition, "" + consumer.position(partition)));
        Path next = folder.resolve(POSITIONS + ".next");
        try (OutputStream out = Files.newOutputStream(next)) {
            positions.store(out, null);
        }
        Files.move(next, folder.resolve(POSITIONS), StandardCopyOption.REPLACE_EXISTING);
        System.out.println("revision " + revision + ": " + changed + " of " + held.size() + " documents differ");
    }

    private static String file(String name) {
        return name.replace("%", "%25").replace("/", "%2F") + ".json";
    }

    private static String key(String file) {
        return file.substring(0, file.length() - ".json".length()).replace("%2F", "/").replace("%25", "%");
    }
}
