package dev.strake.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.serdes.change.WorkspaceKey;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Publishers and consumers in any language rely on the partition of a workspace. */
class ByWorkspaceTest {

    private final ByWorkspace partitioner = new ByWorkspace();

    private int partition(String key, int partitions) {
        Optional<Set<Integer>> chosen =
                partitioner.partitions("topic", key.getBytes(StandardCharsets.UTF_8), null, partitions);
        return chosen.orElseThrow().iterator().next();
    }

    @ParameterizedTest
    @CsvSource({"a, 4", "site-a, 11", "site-b, 5", "airsloop, 7", "seaworthy-virt, 9", "0, 8", "A.b_c-9, 2"})
    void shouldKeepThePartitionOfAWorkspace(String workspace, int partition) {
        assertThat(partition(workspace, 12)).isEqualTo(partition);
    }

    @Test
    void shouldPartitionAsTheJavaProducerDoesByTheWorkspaceAlone() {
        SplittableRandom random = new SplittableRandom(3);
        String alphabet = "abcXYZ019._-";
        for (int i = 0; i < 2_000; i++) {
            StringBuilder name = new StringBuilder("w");
            for (int j = random.nextInt(127); j > 0; j--) {
                name.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            int partitions = random.nextInt(1, 100);
            byte[] workspace = name.toString().getBytes(StandardCharsets.UTF_8);
            int producers = BuiltInPartitioner.partitionForKey(workspace, partitions);
            assertThat(WorkspaceKey.partition(name.toString(), partitions)).isEqualTo(producers);
            assertThat(partition(name.toString(), partitions)).isEqualTo(producers);
            assertThat(partition(name + "|example/Thing/v1|a|b", partitions)).isEqualTo(producers);
            assertThat(partition(name + "|||", partitions)).isEqualTo(producers);
        }
    }
}
