package dev.strake.cli.remote;

import dev.strake.cli.terminal.Terminal;
import dev.strake.server.OperatorRoutes;
import dev.strake.server.access.AccessControl;
import dev.strake.server.http.Hosts;
import dev.strake.server.http.HttpEndpoint;
import dev.strake.server.metrics.ProcessMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Where a program without an HTTP service exposes its metrics. */
final class MetricsOptions {

    private static final int MOST_PORT = 65_535;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(
            names = "--metrics-port",
            paramLabel = "PORT",
            defaultValue = "${env:STRAKE_METRICS_PORT}",
            description =
                    "Serve /metrics at this port; 0 is any free one. Default: STRAKE_METRICS_PORT, or not at all.")
    private Optional<Integer> port = Optional.empty();

    @Option(
            names = "--metrics-host",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            description = "The address at which /metrics is served. Default: ${DEFAULT-VALUE}")
    private String host;

    /**
     * The registry of metrics, and the endpoint that exposes it.
     *
     * @param http null if no port is configured
     */
    record Shown(PrometheusMeterRegistry registry, HttpEndpoint http, ProcessMetrics process) implements AutoCloseable {

        boolean isWanted() {
            return http != null;
        }

        @Override
        public void close() {
            if (isWanted()) {
                http.close();
                process.close();
            }
        }
    }

    /**
     * Starts to expose the metrics of this process.
     *
     * @throws ParameterException if the port is busy or invalid, or the address is none of this machine
     */
    Shown show(Terminal terminal) throws IOException {
        if (port.isEmpty()) {
            return new Shown(new PrometheusMeterRegistry(PrometheusConfig.DEFAULT), null, null);
        }
        if (port.get() < 0 || port.get() > MOST_PORT) {
            throw new ParameterException(command.commandLine(), "--metrics-port has to be 0 to 65535.");
        }
        ProcessMetrics process = new ProcessMetrics();
        InetSocketAddress address = new InetSocketAddress(host, port.get());
        try {
            HttpEndpoint http = HttpEndpoint.start(
                    address,
                    Hosts.of(address, List.of()),
                    AccessControl.off(),
                    List.of(OperatorRoutes.metrics(process.registry())));
            terminal.say("Metrics: http://%s:%d/metrics".formatted(host, http.port()));
            return new Shown(process.registry(), http, process);
        } catch (BindException e) {
            process.close();
            throw new ParameterException(
                    command.commandLine(),
                    "--metrics-port: %s port %d is busy, or not an address of this machine. Choose another."
                            .formatted(host, port.get()),
                    e);
        }
    }
}
