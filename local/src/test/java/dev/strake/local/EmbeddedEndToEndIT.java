package dev.strake.local;

import dev.strake.broker.EmbeddedBroker;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** End to end on the broker that {@code strake up} runs. */
@Order(1) // it takes long
@Execution(ExecutionMode.CONCURRENT)
class EmbeddedEndToEndIT extends EndToEnd {

    @TempDir
    static Path broker;

    private static EmbeddedBroker kafka;

    @BeforeAll
    static void startBroker() {
        kafka = EmbeddedBroker.start(broker, 0);
    }

    @AfterAll
    static void stopBroker() {
        kafka.close();
    }

    @Override
    String bootstrapServers() {
        return kafka.bootstrapServers();
    }
}
