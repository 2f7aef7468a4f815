package dev.strake.topology;

import dev.strake.serdes.change.WorkspaceKey;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.streams.processor.StreamPartitioner;

/**
 * Partitions a record only by the workspace in its key, as the Java producer does for a record whose key is the
 * workspace. So a consumer reads all records of a workspace from one partition, in order.
 */
final class ByWorkspace implements StreamPartitioner<byte[], byte[]> {

    @Override
    @SuppressWarnings("removal") // required as long as Kafka declares it
    public Optional<Set<Integer>> partitions(String topic, byte[] key, byte[] value, int numPartitions) {
        int end = 0;
        while (end < key.length && key[end] != '|') {
            end++;
        }
        String workspace = new String(key, 0, end, StandardCharsets.UTF_8);
        return Optional.of(Set.of(WorkspaceKey.partition(workspace, numPartitions)));
    }
}
