package dev.strake.cli.local;

import dev.strake.cli.remote.FetchMetrics;
import dev.strake.cli.remote.FetchReport;
import dev.strake.cli.terminal.Terminal;
import dev.strake.client.Cluster;
import dev.strake.remote.fetch.FetchSettings;
import dev.strake.remote.fetch.Fetcher;
import dev.strake.remote.fetch.SecretsOfFetcher;
import dev.strake.remote.fetch.policy.FetchPolicy;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;

/** A fetcher in the process of a local server. It starts when the pipeline is ready, and stops before the pipeline. */
final class LocalFetcher implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final LocalServer server;
    private final Fetcher fetcher;

    LocalFetcher(
            LocalServer server,
            String prefix,
            FetchPolicy policy,
            Path state,
            SecretsOfFetcher secrets,
            Terminal terminal) {
        this.server = server;
        FetchMetrics counted =
                new FetchMetrics(new FetchReport(terminal), server.server().meters(), Clock.systemUTC());
        this.fetcher = new Fetcher(
                new FetchSettings(
                        new FetchSettings.Kafka(
                                Cluster.at(server.bootstrapServers()), prefix, FetchSettings.GROUP, TIMEOUT),
                        policy,
                        FetchSettings.INTERVAL,
                        state,
                        secrets),
                counted,
                Clock.systemUTC());
    }

    void start() {
        Thread thread = new Thread(this::run, "fetcher");
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            fetcher.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        try {
            fetcher.close();
        } finally {
            server.close();
        }
    }
}
