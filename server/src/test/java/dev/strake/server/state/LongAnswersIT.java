package dev.strake.server.state;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.strake.broker.EmbeddedBroker;
import dev.strake.engine.secret.KeyedHash;
import dev.strake.server.Server;
import dev.strake.server.access.AccessControl;
import dev.strake.server.http.Hosts;
import dev.strake.server.http.HttpEndpoint;
import dev.strake.server.http.Lane;
import dev.strake.server.http.Response;
import dev.strake.server.http.Route;
import dev.strake.server.http.Yielding;
import dev.strake.server.http.Yielding.Changes;
import dev.strake.server.kafka.KafkaSettings;
import dev.strake.server.pipeline.PipelineSettings;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import dev.strake.topology.TopologySettings;
import dev.strake.topology.apply.DryRun;
import dev.strake.topology.store.RevisionGoneException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What somebody is told for whose answer changes do not leave the time. */
class LongAnswersIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    /** CPU time of an answer that is long. */
    private static final long LONG_NANOS = 110_000_000;

    @TempDir
    static Path directory;

    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void shouldAskForPatienceWhereTwoLongAnswersAreWorkedOn() throws Exception {
        CountDownLatch areLong = new CountDownLatch(2);
        CountDownLatch letGo = new CountDownLatch(1);
        try (EmbeddedBroker broker = EmbeddedBroker.start(directory.resolve("kafka"), 0);
                Server server = server(broker, "data");
                HttpEndpoint whileChangesWait = endpoint(server, areLong, letGo)) {
            publish(server.httpPort());
            URI documents = uri(whileChangesWait.port(), "/workspaces/site-a/documents?name=nobody");
            List<CompletableFuture<HttpResponse<String>>> others = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                HttpRequest request = HttpRequest.newBuilder(uri(whileChangesWait.port(), "/long"))
                        .build();
                others.add(client.sendAsync(request, BodyHandlers.ofString()));
            }
            areLong.await();

            HttpResponse<String> third = get(documents);
            assertThat(third.statusCode()).as(third.body()).isEqualTo(503);
            assertThat(third.body()).contains("\"code\":\"Busy\"", "Changes go first");
            assertThat(third.headers().firstValue("Retry-After")).hasValue("1");

            letGo.countDown();
            for (CompletableFuture<HttpResponse<String>> each : others) {
                assertThat(each.get().statusCode()).isEqualTo(200);
            }
            await().atMost(TIMEOUT).until(() -> get(documents).statusCode() == 200); // as it was told to
        } finally {
            letGo.countDown();
        }
    }

    /* Each time that the revision is read somebody publishes so much that it is gone before the end. */
    @Test
    void shouldAskForPatienceWhereAWorkspaceChangesFasterThanItCanBeRead() throws Exception {
        AtomicInteger begun = new AtomicInteger();
        Runnable pruned = () -> {
            begun.incrementAndGet();
            throw new RevisionGoneException(1);
        };
        try (EmbeddedBroker broker = EmbeddedBroker.start(directory.resolve("kafka-of-changing"), 0);
                Server server = server(broker, "changing");
                HttpEndpoint changing = endpoint(server, pruned, Changes.NONE, List.of())) {
            publish(server.httpPort());

            HttpResponse<String> answer = get(uri(changing.port(), "/workspaces/site-a/diff/0/1"));

            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
            assertThat(answer.body())
                    .contains("\"code\":\"NotReady\"", "The workspace changes faster than it can be read");
            assertThat(answer.headers().firstValue("Retry-After")).hasValue("1");
            assertThat(begun).as("it is tried some times before").hasValueGreaterThan(2);
            assertThat(get(uri(server.httpPort(), "/workspaces/site-a/diff/0/1"))
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    private static Server server(EmbeddedBroker broker, String data) throws Exception {
        Server server = Server.start(new PipelineSettings(
                KafkaSettings.of(broker.bootstrapServers()),
                Settings.defaults()
                        .with(Catalogue.DATA, directory.resolve(data))
                        .with(Catalogue.HTTP_PORT, 0)
                        .with(Catalogue.PARTITIONS, 1)
                        .with(Catalogue.REPLICATION_FACTOR, 1)
                        .with(Catalogue.THREADS, 1)));
        server.pipeline().awaitReady(TIMEOUT);
        return server;
    }

    /* The routes of the server, where changes always wait, and all that is read takes long. */
    private static HttpEndpoint endpoint(Server server, CountDownLatch areLong, CountDownLatch letGo) throws Exception {
        Route route = Route.get("/long", request -> {
            workForLong();
            areLong.countDown();
            try {
                letGo.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return Response.text(200, "done");
        });
        return endpoint(server, LongAnswersIT::workForLong, Changes.WAIT, List.of(route));
    }

    private static HttpEndpoint endpoint(Server server, Runnable afterReads, Changes changes, List<Route> more)
            throws Exception {
        TopologySettings work = TopologySettings.of(1);
        WorkspaceService service = new WorkspaceService(
                server.pipeline().placement().afterReads(afterReads),
                new DryRun(work.intake(), work.rendering(), work.secrets()),
                KeyedHash.withRandomKey());
        List<Route> routes = new ArrayList<>(new StateRoutes(service, Optional.empty()).routes());
        routes.addAll(more);
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        Lane lane = new Lane("state", 4, 8, 0, new Yielding(() -> changes), routes);
        return HttpEndpoint.start(address, Hosts.of(address, List.of()), AccessControl.off(), List.of(lane));
    }

    private static void workForLong() {
        long end = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() + LONG_NANOS;
        while (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() < end) {
            Thread.onSpinWait();
        }
        Yielding.goOn();
    }

    /* More documents than may be read before somebody is told that they were. */
    private void publish(int port) throws Exception {
        String documents = IntStream.range(0, 200).mapToObj("""
                        {schema: example/Server/v1, metadata: {schema: metadata/Document/v1, name: d%d, storagePolicy: cleartext,
                         layeringDefinition: {layer: site}}, data: {}}
                        """::formatted).collect(joining("---\n", """
                        {schema: deckhand/LayeringPolicy/v1, metadata: {schema: metadata/Control/v1, name: policy},
                         data: {layerOrder: [site]}}
                        ---
                        """, ""));
        HttpRequest request = HttpRequest.newBuilder(uri(port, "/workspaces/site-a/buckets/b"))
                .PUT(BodyPublishers.ofString(documents))
                .build();
        HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    private HttpResponse<String> get(URI uri) throws Exception {
        return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }

    private static URI uri(int port, String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }
}
