package dev.strake.server;

import dev.strake.client.Cluster;
import dev.strake.serdes.TopicNames;
import dev.strake.serdes.text.Limits;
import dev.strake.server.access.AccessControl;
import dev.strake.server.access.InstallationKeys;
import dev.strake.server.deckhand.DeckhandApi;
import dev.strake.server.deckhand.DeckhandRoutes;
import dev.strake.server.events.EventRoutes;
import dev.strake.server.events.Feed;
import dev.strake.server.http.Bulkhead;
import dev.strake.server.http.ForeignApi;
import dev.strake.server.http.Hosts;
import dev.strake.server.http.HttpEndpoint;
import dev.strake.server.http.Response;
import dev.strake.server.http.Route;
import dev.strake.server.metrics.Metrics;
import dev.strake.server.page.PageRoutes;
import dev.strake.server.pipeline.Pipeline;
import dev.strake.server.pipeline.PipelineSettings;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.WorkSettings;
import dev.strake.server.state.StateRoutes;
import dev.strake.server.tls.Tls;
import dev.strake.server.writing.NewChanges;
import dev.strake.server.writing.WriteRoutes;
import dev.strake.server.writing.Writer;
import dev.strake.topology.TopologySettings;
import dev.strake.topology.apply.DryRun;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentLinkedDeque;

/** The pipeline, and the HTTP server with its health, metrics and state. */
public final class Server implements AutoCloseable {

    /** Concurrent requests for information about this instance. */
    private static final int ABOUT = 2;

    private static final int QUEUED_ABOUT = 32;

    private final PipelineSettings settings;
    private final List<HttpEndpoint> http = new ArrayList<>();

    /** The resources to close, latest first. */
    private final Deque<Runnable> open = new ConcurrentLinkedDeque<>();

    private AccessControl access;
    private InstallationKeys keys;
    private Optional<Tls> tls;
    private Metrics metrics;
    private Pipeline pipeline;

    private Server(PipelineSettings settings) {
        this.settings = settings;
    }

    /**
     * Starts the pipeline and HTTP. Returns before the pipeline is ready, so that clients can query its health from the
     * start.
     *
     * @throws java.net.BindException if the port is in use or the address is not one of this machine
     * @throws dev.strake.client.MisconfiguredException if the configured access control, keyset or TLS files cannot be
     *     used
     */
    public static Server start(PipelineSettings settings) throws IOException {
        Server server = new Server(settings);
        try {
            server.startPipeline();
            server.startHttp();
            return server;
        } catch (IOException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    private void startPipeline() {
        access = AccessControl.of(settings.settings());
        open.push(access::close);
        keys = InstallationKeys.of(settings.settings());
        open.push(keys::close);
        tls = Tls.of(settings.settings());
        tls.ifPresent(each -> open.push(each::close));
        metrics = new Metrics(settings.settings().get(Catalogue.SLOW_CHANGE));
        open.push(metrics::close);
        pipeline = Pipeline.start(settings, keys, metrics.observer());
        open.push(pipeline::close);
        watch();
    }

    private void watch() {
        metrics.watchFiles(Map.of(
                "tokens",
                access::isOutdated,
                "keyset",
                keys::isOutdated,
                "groups",
                access::areGroupsOutdated,
                "issuer",
                access::isIssuerAway,
                "keystone",
                access::isKeystoneAway,
                "tls",
                () -> tls.map(Tls::isOutdated).orElse(false)));
        metrics.watchCertificate(() -> tls.map(Tls::expiry));
        metrics.watch(
                pipeline.streams(),
                settings.settings().get(Catalogue.TOPIC_PREFIX) + TopicNames.CHANGES,
                settings.settings().get(Catalogue.DATA));
    }

    /* The first port also serves health and metrics, so that its clients need not know the second. */
    private void startHttp() throws IOException {
        Cluster cluster = settings.kafka().cluster();
        String prefix = settings.settings().get(Catalogue.TOPIC_PREFIX);
        Feed feed = new Feed(cluster, prefix, pipeline.partitions(), metrics.latencies());
        open.push(feed::close);
        Writer writer = new Writer(cluster, prefix, feed, keys);
        open.push(writer::close);
        List<Route> routes = new ArrayList<>(AboutRoutes.of(pipeline, settings, metrics.slow()));
        routes.add(Route.get("/secrets/public-key", request -> publicKey()));
        TopologySettings work = WorkSettings.of(settings.settings(), pipeline.partitions())
                .withSecrets(WorkSettings.secrets(settings.settings(), keys, false));
        StateRoutes state = new StateRoutes(
                pipeline.placement(),
                new DryRun(work.intake(), work.rendering(), work.secrets()),
                keys.keyedHash(),
                metrics.latencies(),
                tls);
        List<Bulkhead> bulkheads = new ArrayList<>(operators());
        bulkheads.add(new Bulkhead(ABOUT, QUEUED_ABOUT, routes));
        bulkheads.addAll(state.bulkheads(work.intake().limits()));
        bulkheads.add(EventRoutes.bulkhead(feed));
        Limits limits = work.intake().limits();
        NewChanges changes = new NewChanges(limits, keys::sealing);
        bulkheads.add(new WriteRoutes(writer, limits, changes, state::ofChange).bulkhead());
        bulkheads.addAll(new DeckhandRoutes(
                        state, writer, changes, limits, pipeline.probes().ready())
                .bulkheads());
        bulkheads.add(PageRoutes.bulkhead());
        ForeignApi deckhand = new DeckhandApi(settings.settings().get(Catalogue.DECKHAND_WORKSPACE));
        listen(settings.settings().get(Catalogue.HTTP_PORT), tls, access, bulkheads, List.of(deckhand));
        Optional<Integer> health = settings.settings().get(Catalogue.HTTP_HEALTH_PORT);
        if (health.isPresent()) {
            listen(health.get(), Optional.empty(), AccessControl.off(), operators(), List.of());
        }
        open.push(feed::close); // also ends the event streams
        open.push(writer::releaseWaiting);
    }

    private Response publicKey() {
        return keys.publicKey()
                .map(key -> Response.of(200, "application/json", key))
                .orElseGet(() -> Response.problem(
                        404,
                        "KeysetNotFound",
                        "This Strake has no keyset (strake.secrets.keyset), so nothing can be sealed for it."));
    }

    private List<Bulkhead> operators() {
        return OperatorRoutes.bulkheads(
                metrics.registry(), pipeline.probes(), metrics::details, Versions.HERE.byName());
    }

    private void listen(
            int port, Optional<Tls> security, AccessControl control, List<Bulkhead> bulkheads, List<ForeignApi> foreign)
            throws IOException {
        InetSocketAddress address = new InetSocketAddress(settings.settings().get(Catalogue.HTTP_HOST), port);
        List<String> others =
                settings.settings().get(Catalogue.HTTP_ADVERTISED).stream().toList();
        HttpEndpoint endpoint =
                HttpEndpoint.start(address, security, Hosts.of(address, others), control, bulkheads, foreign);
        open.push(endpoint::close);
        http.add(endpoint);
    }

    public Pipeline pipeline() {
        return pipeline;
    }

    /** The routes of the first port. */
    List<Route> routes() {
        return http.get(0).routes();
    }

    public int httpPort() {
        return http.get(0).port();
    }

    /** The metrics of this process. Programs that run with the pipeline may add their own. */
    public PrometheusMeterRegistry meters() {
        return metrics.registry();
    }

    public InstallationKeys keys() {
        return keys;
    }

    public OptionalInt healthPort() {
        return http.stream().skip(1).mapToInt(HttpEndpoint::port).findFirst();
    }

    /** Stops HTTP, then shuts the pipeline down cleanly. Idempotent. */
    @Override
    public void close() {
        for (Runnable end = open.poll(); end != null; end = open.poll()) {
            end.run();
        }
    }
}
