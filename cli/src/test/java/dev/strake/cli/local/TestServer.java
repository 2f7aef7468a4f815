package dev.strake.cli.local;

import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/** What {@code strake up} runs, at free ports, for tests. */
public final class TestServer {

    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private TestServer() {}

    /** One that is ready, with one stream thread and so many partitions. */
    public static LocalServer start(Path data, int partitions) throws Exception {
        return start(data, partitions, settings -> settings);
    }

    /** The same, with further settings. */
    public static LocalServer start(Path data, int partitions, UnaryOperator<Settings> with) throws Exception {
        LocalServer server = LocalServer.start(with.apply(Settings.of(List.of(Catalogue.DEFAULTS_OF_UP))
                .with(Catalogue.DATA, data)
                .with(Catalogue.HTTP_PORT, 0)
                .with(Catalogue.PARTITIONS, partitions)
                .with(Catalogue.THREADS, 1)));
        server.server().pipeline().awaitReady(PATIENCE);
        return server;
    }
}
