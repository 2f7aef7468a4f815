package dev.strake.checks.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.strake.cli.local.LocalServer;
import dev.strake.cli.terminal.CapturedTerminal;
import dev.strake.cli.verify.UnverifiableException;
import dev.strake.cli.verify.Verification;
import dev.strake.cli.verify.VerifyResult;
import dev.strake.client.KafkaUnavailableException;
import dev.strake.client.StateClient;
import dev.strake.server.kafka.KafkaSettings;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import dev.strake.server.settings.WorkSettings;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs {@code strake verify} on a sound pipeline beside a busy, careless publisher: no false alarm. */
@Tag("long")
class VerifyUnderLoadIT {

    private static final long SEED = Long.getLong("strake.seed", System.nanoTime() & 0xFFFFFF);
    private static final int WORKSPACES = 4; // one with a family
    private static final int PARTITIONS = 2;
    private static final int CHANGES = Integer.getInteger("strake.changes", 1_500);

    @TempDir
    Path directory;

    private Settings settings = Settings.of(List.of(Catalogue.DEFAULTS_OF_UP))
            .with(Catalogue.HTTP_PORT, 0)
            .with(Catalogue.PARTITIONS, PARTITIONS)
            .with(Catalogue.THREADS, 1)
            .with(Catalogue.HISTORY_REVISIONS, 50);
    private int equal;
    private int unsettled;
    private int pruned;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldNeverReportAFalseDifference(boolean holdDocuments) throws Exception {
        System.out.println("verify under load -Dstrake.seed=" + SEED);
        settings = settings.with(Catalogue.DATA, directory)
                .with(Catalogue.ON_PROBLEM, holdDocuments ? "hold-document" : "hold-revision");
        try (LocalServer server = LocalServer.start(settings)) {
            server.server().pipeline().awaitReady(Duration.ofMinutes(10));
            CompletableFuture<Void> changes = CompletableFuture.runAsync(() -> publish(server.bootstrapServers()));
            while (!changes.isDone()) {
                verifyAll(server, Duration.ofSeconds(4));
            }
            changes.join();
            System.out.println(equal + " equal, " + unsettled + " without a quiet moment, " + pruned + " not to tell");
            int before = equal;
            unsettled = 0;
            verifyAll(server, Duration.ofMinutes(1));
            assertThat(unsettled).isZero();
            assertThat(equal - before).isPositive();
        }
    }

    private static void publish(String bootstrapServers) {
        Load load = new Load(SEED, "p", "strake.", WORKSPACES, 24, PARTITIONS);
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrapServers), new ByteArraySerializer(), new ByteArraySerializer())) {
            load.beginning().forEach(record -> send(producer, record));
            for (int i = 0; i < CHANGES; i++) {
                send(producer, load.next());
                LockSupport.parkNanos(i % 50 == 0 ? 400_000_000 : 3_000_000); // an occasional pause, for a quiet moment
            }
        }
    }

    private static void send(KafkaProducer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> record) {
        Future<RecordMetadata> unused = producer.send(record); // a single lost record does not matter here
    }

    private void verifyAll(LocalServer server, Duration timeout) throws InterruptedException {
        for (int i = 0; i < WORKSPACES; i++) {
            Verification verification = new Verification(
                    KafkaSettings.of(server.bootstrapServers()),
                    "ws-" + i,
                    WorkSettings.of(settings, PARTITIONS),
                    timeout);
            verify(verification, new StateClient(URI.create(server.url())));
        }
    }

    private void verify(Verification verification, StateClient client) throws InterruptedException {
        try {
            VerifyResult verdict =
                    verification.verdict(client, CapturedTerminal.pipe().terminal());
            assertThat(verdict.isEqual()).as(verdict.toString()).isTrue();
            equal++;
        } catch (KafkaUnavailableException e) {
            assertThat(e).hasMessageMatching(".*(keeps changing|changes keep coming).*");
            unsettled++;
        } catch (UnverifiableException e) {
            if (!e.getMessage().matches(".*(was pruned|no workspace).*")) {
                fail(e.getMessage(), e);
            }
            pruned++;
        }
    }
}
