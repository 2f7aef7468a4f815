package dev.strake.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.strake.server.http.OperatorRoutes.Details;
import dev.strake.server.http.OperatorRoutes.Health;
import dev.strake.server.http.OperatorRoutes.Probes;
import dev.strake.server.metrics.Metrics;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HttpEndpointTest {

    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private final HttpClient client = HttpClient.newHttpClient();
    private final AtomicReference<Health> ready =
            new AtomicReference<>(new Health(false, "REBALANCING", "tasks are being assigned"));
    private final AtomicReference<Details> details = new AtomicReference<>(new Details(Optional.empty(), 2, 3.5));
    private final Metrics metrics = new Metrics();
    private HttpEndpoint endpoint;

    @BeforeEach
    void start() throws IOException {
        Health running = new Health(true, "RUNNING", null);
        Probes probes = new Probes(() -> running, ready::get, () -> running);
        List<Route> routes = new ArrayList<>(
                OperatorRoutes.of(metrics.registry(), probes, details::get, new TreeMap<>(Map.of("kafka", "4.3.1"))));
        routes.add(Route.get(
                "/echo/{text}/end",
                request -> Response.text(
                        200, request.path("text") + request.parameter("more").orElse("-"))));
        routes.add(Route.get("/broken", request -> {
            throw new IllegalStateException("secret");
        }));
        endpoint = HttpEndpoint.start(ANY_PORT, routes);
    }

    @AfterEach
    void stop() {
        endpoint.close();
        metrics.close();
    }

    @Test
    void shouldServeMetricsInPrometheusForm() throws Exception {
        HttpResponse<String> response = get("/metrics");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("text/plain; version=0.0.4"));
        assertThat(response.body()).contains("strake_changes_total{status=\"rendered\"} 0.0", "jvm_memory_used_bytes");
    }

    @Test
    void shouldFollowTheStateOfThePipeline() throws Exception {
        assertThat(get("/health/live").statusCode()).isEqualTo(200);
        assertThat(get("/health/started").body()).isEqualTo("{\"status\":\"UP\",\"state\":\"RUNNING\"}");
        assertThat(get("/health/ready").statusCode()).isEqualTo(503);
        assertThat(get("/health/ready").body()).isEqualTo("""
                {"status":"DOWN","state":"REBALANCING","reason":"tasks are being assigned","problems":2,"stalenessSeconds":3.5,"kafka":"4.3.1"}""");
        details.set(new Details(Optional.of("store rendered of partition 3: 1 of 2 records"), 0, 0));
        assertThat(get("/health/ready").body())
                .contains("\"reason\":\"restoring store rendered of partition 3: 1 of 2 records\"");
        ready.set(new Health(true, "RUNNING", null));
        assertThat(get("/health/ready").statusCode()).isEqualTo(200);
    }

    @Test
    void shouldAnswerUnknownPathsWithJson() throws Exception {
        for (String path : List.of("/", "/nothing", "/metrics/", "/metrics/more", "/echo/end")) {
            HttpResponse<String> response = get(path);
            assertThat(response.statusCode()).as(path).isEqualTo(404);
            assertThat(response.headers().firstValue("Content-Type")).hasValue("application/json");
            assertThat(response.body()).contains("\"code\":\"NotFound\"");
        }
    }

    @Test
    void shouldAnswerGetOnly() throws Exception {
        HttpRequest post = HttpRequest.newBuilder(uri("/metrics"))
                .POST(BodyPublishers.ofString("x"))
                .build();
        HttpResponse<String> response = client.send(post, BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(405);
        assertThat(response.headers().firstValue("Allow")).hasValue("GET");
    }

    @Test
    void shouldDecodePathAndQueryOnce() throws Exception {
        assertThat(get("/echo/a%2Fb%20c%2520/end?more=1%262").body()).isEqualTo("a/b c%201&2");
    }

    @Test
    void shouldNotTellAClientWhyItFailed() throws Exception {
        HttpResponse<String> response = get("/broken");
        assertThat(response.statusCode()).isEqualTo(500);
        assertThat(response.body()).contains("InternalError").doesNotContain("secret");
        assertThat(get("/health/live").statusCode()).isEqualTo(200);
    }

    @Test
    void shouldSayThatThePortIsBusy() {
        InetSocketAddress taken = new InetSocketAddress(InetAddress.getLoopbackAddress(), endpoint.port());
        assertThatThrownBy(() -> HttpEndpoint.start(taken, List.of()).close())
                .isInstanceOf(BindException.class)
                .hasMessageContaining(Integer.toString(endpoint.port()))
                .hasMessageContaining("--http-port");
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(uri(path)).build(), BodyHandlers.ofString());
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + endpoint.port() + path);
    }
}
