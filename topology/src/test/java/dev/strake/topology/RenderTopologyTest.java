package dev.strake.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.topology.observe.ChangeObserver;
import dev.strake.topology.store.LiveHeads;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

class RenderTopologyTest {

    @Test
    void shouldDescribeItselfAsTheGoldenTextSays() throws IOException {
        String description = RenderTopology.build(
                        TopologySettings.of(1), ChangeObserver.NONE, new LiveHeads(), UnaryOperator.identity())
                .describe()
                .toString();
        try (InputStream golden = getClass().getResourceAsStream("/topology.txt")) {
            assertThat(description)
                    .as("names of stores carry state: change the golden text only on purpose, and say so")
                    .isEqualTo(new String(golden.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    /* The driver rejects a record without timestamp; a broker accepts it. */
    @Test
    void shouldAcceptAChangeWithoutTimestamp() {
        assertThat(RenderTopology.timestamp(new ConsumerRecord<>("changes", 0, 7, null, null), 5))
                .isZero();
    }
}
