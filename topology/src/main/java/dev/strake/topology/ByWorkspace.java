package dev.strake.topology;

import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.processor.StreamPartitioner;

/**
 * Partitions a record by the workspace in its key alone, as the Java producer partitions a record whose key is the
 * workspace: so a consumer sees everything of a workspace in one partition, in order.
 */
final class ByWorkspace implements StreamPartitioner<byte[], byte[]> {

    @Override
    public Optional<Set<Integer>> partitions(String topic, byte[] key, byte[] value, int numPartitions) {
        int end = 0;
        while (end < key.length && key[end] != '|') {
            end++;
        }
        return Optional.of(Set.of(partition(Arrays.copyOf(key, end), numPartitions)));
    }

    static int partition(byte[] workspace, int numPartitions) {
        return Utils.toPositive(Utils.murmur2(workspace)) % numPartitions;
    }
}
