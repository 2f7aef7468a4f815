package dev.strake.service.server;

import dev.strake.service.http.HttpEndpoint;
import dev.strake.service.http.OperatorRoutes;
import dev.strake.service.http.Route;
import dev.strake.service.metrics.Metrics;
import dev.strake.service.pipeline.Pipeline;
import dev.strake.service.pipeline.PipelineSettings;
import dev.strake.service.settings.Catalogue;
import dev.strake.service.state.StateRoutes;
import dev.strake.service.tracing.Tracing;
import dev.strake.topology.RenderTopology;
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
                    settings.settings().get(Catalogue.TOPIC_PREFIX) + RenderTopology.CHANGES,
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
