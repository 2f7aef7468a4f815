package dev.strake.server;

import dev.strake.client.Cluster;
import dev.strake.serdes.TopicNames;
import dev.strake.server.access.AccessControl;
import dev.strake.server.events.EventRoutes;
import dev.strake.server.events.Feed;
import dev.strake.server.http.Bulkhead;
import dev.strake.server.http.Hosts;
import dev.strake.server.http.HttpEndpoint;
import dev.strake.server.http.OperatorRoutes;
import dev.strake.server.http.Route;
import dev.strake.server.metrics.Metrics;
import dev.strake.server.page.PageRoutes;
import dev.strake.server.pipeline.Pipeline;
import dev.strake.server.pipeline.PipelineSettings;
import dev.strake.server.secrets.InstallationKeys;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.WorkSettings;
import dev.strake.server.state.StateRoutes;
import dev.strake.server.state.WorkspaceService;
import dev.strake.server.tls.Tls;
import dev.strake.server.writing.WriteRoutes;
import dev.strake.server.writing.Writer;
import dev.strake.topology.TopologySettings;
import dev.strake.topology.apply.DryRun;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;

/** The pipeline, and HTTP that shows its health, its metrics and the state of its workspaces. */
public final class Server implements AutoCloseable {

    /** Answers that tell what this instance is. */
    private static final int ABOUT = 2;

    private static final int QUEUED_ABOUT = 32;

    private final Pipeline pipeline;
    private final Metrics metrics;
    private final AccessControl access;
    private final InstallationKeys keys;
    private final Optional<Tls> tls;
    private final Feed feed;
    private final Writer writer;
    private final List<HttpEndpoint> http;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Server(
            Pipeline pipeline,
            Metrics metrics,
            AccessControl access,
            InstallationKeys keys,
            Optional<Tls> tls,
            Feed feed,
            Writer writer,
            List<HttpEndpoint> http) {
        this.pipeline = pipeline;
        this.metrics = metrics;
        this.access = access;
        this.keys = keys;
        this.tls = tls;
        this.feed = feed;
        this.writer = writer;
        this.http = http;
    }

    /**
     * Starts both. Returns before the pipeline is ready, so that its health can be asked from the start.
     *
     * @throws java.net.BindException if the port is busy or the address not one of this machine
     * @throws dev.strake.client.MisconfiguredException if access to HTTP cannot be controlled as the settings want it,
     *     or the keyset or the files of TLS cannot be used
     */
    public static Server start(PipelineSettings settings) throws IOException {
        AccessControl access = AccessControl.of(settings.settings());
        try {
            InstallationKeys keys = InstallationKeys.of(settings.settings());
            try {
                return start(settings, access, keys, Tls.of(settings.settings()));
            } catch (IOException | RuntimeException e) {
                keys.close();
                throw e;
            }
        } catch (IOException | RuntimeException e) {
            access.close();
            throw e;
        }
    }

    private static Server start(
            PipelineSettings settings, AccessControl access, InstallationKeys keys, Optional<Tls> tls)
            throws IOException {
        Metrics metrics = new Metrics();
        Pipeline pipeline;
        try {
            pipeline = Pipeline.start(settings, keys, metrics.observer());
        } catch (RuntimeException e) {
            tls.ifPresent(Tls::close);
            metrics.close();
            throw e;
        }
        try {
            metrics.watchFiles(Map.of(
                    "tokens",
                    access::isOutdated,
                    "keyset",
                    keys::isOutdated,
                    "groups",
                    access::areGroupsOutdated,
                    "issuer",
                    access::isIssuerAway,
                    "tls",
                    () -> tls.map(Tls::isOutdated).orElse(false)));
            metrics.watchCertificate(() -> tls.map(Tls::expiry));
            metrics.watch(
                    pipeline.streams(),
                    settings.settings().get(Catalogue.TOPIC_PREFIX) + TopicNames.CHANGES,
                    settings.settings().get(Catalogue.DATA));
            Cluster cluster = settings.kafka().cluster();
            String prefix = settings.settings().get(Catalogue.TOPIC_PREFIX);
            Feed feed = new Feed(cluster, prefix, pipeline.partitions());
            Writer writer = new Writer(cluster, prefix, feed, keys);
            return new Server(
                    pipeline,
                    metrics,
                    access,
                    keys,
                    tls,
                    feed,
                    writer,
                    endpoints(settings, pipeline, metrics, access, feed, writer, keys, tls));
        } catch (IOException | RuntimeException e) {
            tls.ifPresent(Tls::close);
            metrics.close();
            pipeline.close();
            throw e;
        }
    }

    /* Health and metrics are answered on the first port, too: whoever asks there need not know of the other. */
    private static List<HttpEndpoint> endpoints(
            PipelineSettings settings,
            Pipeline pipeline,
            Metrics metrics,
            AccessControl access,
            Feed feed,
            Writer writer,
            InstallationKeys keys,
            Optional<Tls> tls)
            throws IOException {
        String host = settings.settings().get(Catalogue.HTTP_HOST);
        List<Route> routes = new ArrayList<>(AboutRoutes.of(pipeline, settings));
        routes.add(keys.route());
        TopologySettings work = WorkSettings.of(settings.settings(), pipeline.partitions())
                .withSecrets(WorkSettings.secrets(settings.settings(), keys, false));
        WorkspaceService service = new WorkspaceService(
                pipeline.placement(), new DryRun(work.intake(), work.rendering(), work.secrets()), keys.keyedHash());
        StateRoutes state = new StateRoutes(service, tls);
        List<Bulkhead> bulkheads = new ArrayList<>(operators(pipeline, metrics));
        bulkheads.add(new Bulkhead(ABOUT, QUEUED_ABOUT, routes));
        bulkheads.addAll(state.bulkheads(work.intake().limits()));
        bulkheads.add(EventRoutes.bulkhead(feed));
        bulkheads.add(WriteRoutes.bulkhead(writer, work.intake().limits(), keys::sealing, state::ofChange));
        bulkheads.add(PageRoutes.bulkhead());
        List<HttpEndpoint> started = new ArrayList<>();
        try {
            started.add(start(settings, host, settings.settings().get(Catalogue.HTTP_PORT), tls, access, bulkheads));
            Optional<Integer> health = settings.settings().get(Catalogue.HTTP_HEALTH_PORT);
            if (health.isPresent()) {
                started.add(start(
                        settings,
                        host,
                        health.get(),
                        Optional.empty(),
                        AccessControl.off(),
                        operators(pipeline, metrics)));
            }
        } catch (IOException | RuntimeException e) {
            started.forEach(HttpEndpoint::close);
            throw e;
        }
        return started;
    }

    private static List<Bulkhead> operators(Pipeline pipeline, Metrics metrics) {
        return OperatorRoutes.bulkheads(
                metrics.registry(), pipeline.probes(), metrics::details, Versions.HERE.byName());
    }

    private static HttpEndpoint start(
            PipelineSettings settings,
            String host,
            int port,
            Optional<Tls> tls,
            AccessControl access,
            List<Bulkhead> bulkheads)
            throws IOException {
        InetSocketAddress address = new InetSocketAddress(host, port);
        List<String> others =
                settings.settings().get(Catalogue.HTTP_ADVERTISED).stream().toList();
        return HttpEndpoint.start(address, tls, Hosts.of(address, others), access, bulkheads);
    }

    public Pipeline pipeline() {
        return pipeline;
    }

    /** All that can be asked for on the first port. */
    List<Route> routes() {
        return http.get(0).routes();
    }

    public int httpPort() {
        return http.get(0).port();
    }

    /** The metrics of this process, for those who run beside the pipeline and have some of their own. */
    public PrometheusMeterRegistry meters() {
        return metrics.registry();
    }

    public InstallationKeys keys() {
        return keys;
    }

    /** The port that only health and metrics have, if they have one. */
    public OptionalInt healthPort() {
        return http.stream().skip(1).mapToInt(HttpEndpoint::port).findFirst();
    }

    /** Stops answering, then ends the pipeline in order. A second call does nothing. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            writer.releaseWaiting();
            http.forEach(HttpEndpoint::close);
            writer.close();
            feed.close();
            access.close();
            metrics.close();
            pipeline.close();
            keys.close();
            tls.ifPresent(Tls::close);
        }
    }
}
