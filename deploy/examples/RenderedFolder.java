import dev.strake.client.Checkpoint;
import dev.strake.client.Cluster;
import dev.strake.client.RenderedUpdate;
import dev.strake.client.RenderedUpdate.Kind;
import dev.strake.client.Subscription;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.JsonBytes;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * Keeps a folder equal to the rendered documents of a workspace, a whole revision at a time.
 *
 *   java -cp cli/target/strake.jar deploy/examples/RenderedFolder.java localhost:9092 site-a folder
 *
 * The subscription reads committed records, assembles whole revisions and checks each against the hash of its
 * outcome. The checkpoint is stored in the folder, after the files. After a crash, the program writes the same files
 * again.
 */
public final class RenderedFolder {

    public static void main(String[] args) throws IOException {
        Cluster cluster = Cluster.at(args[0]); // for TLS or SASL: Cluster.of(settings of Kafka clients)
        Path folder = Files.createDirectories(Path.of(args[2]));
        Path place = folder.resolve(".checkpoint");
        try (Subscription subscription = subscribe(cluster, args[1], place)) {
            while (true) {
                RenderedUpdate update = subscription.next(Duration.ofSeconds(1)).orElse(null);
                if (update != null) {
                    int differ = write(update, folder);
                    Checkpoint checkpoint = subscription.checkpoint();
                    keep(checkpoint, place);
                    System.out.printf(
                            "revision %d: %d of %d documents differ%n",
                            update.revision(), differ, checkpoint.documents().size());
                }
            }
        }
    }

    private static Subscription subscribe(Cluster cluster, String workspace, Path place) throws IOException {
        Duration timeout = Duration.ofSeconds(30);
        if (!Files.exists(place)) {
            System.out.println("starts from the beginning");
            return Subscription.open(cluster, "strake.", workspace, timeout);
        }
        try (InputStream in = Files.newInputStream(place)) {
            Checkpoint checkpoint = Checkpoint.read(in);
            System.out.println("continues with " + checkpoint.documents().size() + " documents");
            return Subscription.resume(cluster, "strake.", checkpoint, timeout);
        }
    }

    /** Applies an update to the folder. Replace this method by yours. Writes only files that differ. */
    private static int write(RenderedUpdate update, Path folder) throws IOException {
        int differ = 0;
        Set<Path> written = new HashSet<>();
        for (var document : update.put().entrySet()) {
            Path file = folder.resolve(name(document.getKey()));
            byte[] json = JsonBytes.of(document.getValue().document().orElseThrow());
            written.add(file);
            if (!Files.exists(file) || !Arrays.equals(Files.readAllBytes(file), json)) {
                Files.write(file, json);
                differ++;
            }
        }
        for (DocumentKey gone : update.removed()) {
            differ += Files.deleteIfExists(folder.resolve(name(gone))) ? 1 : 0;
        }
        if (update.kind() != Kind.REVISION) { // the whole set: files of other documents are removed
            try (var files = Files.newDirectoryStream(folder, "*.json")) {
                for (Path file : files) {
                    differ += !written.contains(file) && Files.deleteIfExists(file) ? 1 : 0;
                }
            }
        }
        return differ;
    }

    private static void keep(Checkpoint checkpoint, Path place) throws IOException {
        Path next = place.resolveSibling(place.getFileName() + ".next");
        try (OutputStream out = Files.newOutputStream(next)) {
            checkpoint.write(out);
        }
        Files.move(next, place, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    private static String name(DocumentKey key) {
        return (key.schema() + "|" + key.name()).replace("%", "%25").replace("/", "%2F") + ".json";
    }
}
