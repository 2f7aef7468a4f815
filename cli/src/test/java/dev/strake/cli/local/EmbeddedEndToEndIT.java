package dev.strake.cli.local;

import dev.strake.server.broker.EmbeddedBroker;
import java.nio.file.Path;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.io.TempDir;

/** End to end on the broker that {@code strake up} runs. */
@Order(1) // it takes long
class EmbeddedEndToEndIT extends EndToEnd {

    @TempDir
    static Path broker;

    private EmbeddedBroker kafka;

    @Override
    String startBroker() {
        kafka = EmbeddedBroker.start(broker, 0);
        return kafka.bootstrapServers();
    }

    @Override
    void stopBroker() {
        kafka.close();
    }
}
