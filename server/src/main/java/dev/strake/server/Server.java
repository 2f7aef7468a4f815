package dev.strake.server;

import dev.strake.serdes.TopicNames;
import dev.strake.server.http.HttpEndpoint;
import dev.strake.server.http.OperatorRoutes;
import dev.strake.server.http.Route;
import dev.strake.server.metrics.Metrics;
import dev.strake.server.pipeline.Pipeline;
import dev.strake.server.pipeline.PipelineSettings;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.state.StateRoutes;
import dev.strake.server.tracing.Tracing;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** The pipeline, and HTTP that shows its health, its metrics and the state of its workspaces. */
public final class Server implements AutoCloseable {

    private final Pipeline pipeline;
    private final Metrics metrics;
    private final Tracing tracing;
    private final HttpEndpoint http;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Server(Pipeline pipeline, Metrics metrics, Tracing tracing, HttpEndpoint http) {
        this.pipeline = pipeline;
        this.metrics = metrics;
        this.tracing = tracing;
        this.http = http;
    }

    /**
     * Starts both. Returns before the pipeline is ready, so that its health can be asked from the start.
     *
     * @throws java.net.BindException if the port is busy or the address not one of this machine
     */
    public static Server start(PipelineSettings settings) throws IOException {
        InetSocketAddress address = new InetSocketAddress(
                settings.settings().get(Catalogue.HTTP_HOST),
                settings.settings().get(Catalogue.HTTP_PORT));
        Tracing tracing = Tracing.of(System.getenv());
        Metrics metrics = new Metrics();
        Pipeline pipeline;
        try {
            pipeline = Pipeline.start(settings, tracing.before(metrics.observer()));
        } catch (RuntimeException e) {
            metrics.close();
            tracing.close();
            throw e;
        }
        try {
            metrics.watch(
                    pipeline.streams(),
                    settings.settings().get(Catalogue.TOPIC_PREFIX) + TopicNames.CHANGES,
                    settings.settings().get(Catalogue.DATA),
                    pipeline::standing);
            List<Route> routes = new ArrayList<>(
                    OperatorRoutes.of(metrics.registry(), pipeline.probes(), metrics::details, Versions.HERE.byName()));
            routes.addAll(AboutRoutes.of(pipeline, settings));
            routes.addAll(StateRoutes.of(pipeline.placement()));
            return new Server(pipeline, metrics, tracing, HttpEndpoint.start(address, routes));
        } catch (IOException | RuntimeException e) {
            metrics.close();
            pipeline.close();
            tracing.close();
            throw e;
        }
    }

    public Pipeline pipeline() {
        return pipeline;
    }

    public int httpPort() {
        return http.port();
    }

    /** Stops answering, then ends the pipeline in order. A second call does nothing. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            http.close();
            metrics.close();
            pipeline.close();
            tracing.close();
        }
    }
}
