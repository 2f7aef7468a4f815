package dev.strake.server.pipeline;

import dev.strake.serdes.change.WorkspaceKey;
import dev.strake.serdes.secret.InstalledKeys;
import dev.strake.topology.query.WorkspaceQueries;
import dev.strake.topology.store.LiveHeads;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.LagInfo;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.StreamsMetadata;
import org.apache.kafka.streams.TaskMetadata;
import org.apache.kafka.streams.ThreadMetadata;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.errors.StreamsNotStartedException;
import org.apache.kafka.streams.state.HostInfo;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/** Finds the instance that has the state of a workspace: one processes its changes, others may have a standby copy. */
public final class Placement {

    private final KafkaStreams streams;
    private final int partitions;
    private final LiveHeads live;
    private final InstalledKeys keys;
    private final Optional<HostInfo> self;

    Placement(KafkaStreams streams, int partitions, LiveHeads live, InstalledKeys keys, Optional<String> advertised) {
        this.streams = streams;
        this.partitions = partitions;
        this.live = live;
        this.keys = keys;
        this.self = advertised.map(HostInfo::buildFromEndpoint);
    }

    /** Where the state of a workspace can be queried. */
    public sealed interface Holder {}

    /**
     * This instance.
     *
     * @param state throws {@link InvalidStateStoreException} after its stores are closed
     * @param behind empty on the active instance; on a standby, the greatest number of records that it may lag behind
     */
    public record Here(WorkspaceQueries state, OptionalLong behind) implements Holder {}

    /**
     * Another instance.
     *
     * @param address host and port of its HTTP server
     */
    public record Elsewhere(String address) implements Holder {}

    /** Tasks are being assigned, or the instance has no address (strake.http.advertised). */
    public record NotKnown() implements Holder {}

    /** Whether this instance processes the changes of a workspace. */
    public boolean holds(String workspace) {
        return active().contains(WorkspaceKey.partition(workspace, partitions));
    }

    /**
     * Returns the location of a workspace.
     *
     * @param fromStandby prefer a standby; falls back to the active instance
     * @throws InvalidStateStoreException while local stores are not open
     */
    public Holder of(String workspace, boolean fromStandby) {
        int partition = WorkspaceKey.partition(workspace, partitions);
        if (fromStandby) {
            if (standby().contains(partition)) {
                return new Here(queries(partition, true), OptionalLong.of(behind(partition)));
            }
            Optional<Elsewhere> copy = another(partition, StreamsMetadata::standbyTopicPartitions);
            if (copy.isPresent()) {
                return copy.get();
            }
        }
        if (active().contains(partition)) {
            return new Here(queries(partition, false), OptionalLong.empty());
        }
        Optional<Elsewhere> owner = another(partition, StreamsMetadata::topicPartitions);
        return owner.isPresent() ? owner.get() : new NotKnown();
    }

    /* Finds another instance that has the tasks of a partition. */
    private Optional<Elsewhere> another(int partition, Function<StreamsMetadata, Set<TopicPartition>> tasks) {
        return instances().stream()
                .filter(each -> isAnother(each.hostInfo()))
                .filter(each -> tasks.apply(each).stream().anyMatch(task -> task.partition() == partition))
                .findFirst()
                .map(each -> new Elsewhere(address(each.hostInfo())));
    }

    private static String address(HostInfo host) {
        return host.host() + ":" + host.port();
    }

    /**
     * Returns the state of the partitions that are active on this instance.
     *
     * @throws InvalidStateStoreException while a store is not open
     */
    public List<WorkspaceQueries> here() {
        return active().stream().map(partition -> queries(partition, false)).toList();
    }

    /**
     * Returns the addresses of the instances with all other partitions; empty if the instance of any partition is
     * unknown.
     */
    public Optional<Set<String>> others() {
        Set<Integer> known = new TreeSet<>(active());
        Set<String> addresses = new TreeSet<>();
        for (StreamsMetadata each : known.size() < partitions ? instances() : List.<StreamsMetadata>of()) {
            if (isAnother(each.hostInfo())) {
                each.topicPartitions().forEach(partition -> known.add(partition.partition()));
                addresses.add(address(each.hostInfo()));
            }
        }
        return known.size() < partitions ? Optional.empty() : Optional.of(addresses);
    }

    /** The partitions that are active on this instance. */
    public NavigableSet<Integer> active() {
        return tasks(ThreadMetadata::activeTasks);
    }

    /** The partitions of which this instance has a standby copy. */
    public NavigableSet<Integer> standby() {
        return tasks(ThreadMetadata::standbyTasks);
    }

    private NavigableSet<Integer> tasks(Function<ThreadMetadata, Set<TaskMetadata>> kind) {
        NavigableSet<Integer> result = new TreeSet<>();
        streams.metadataForLocalThreads()
                .forEach(thread -> kind.apply(thread)
                        .forEach(task -> task.topicPartitions().stream()
                                .map(TopicPartition::partition)
                                .forEach(result::add)));
        return result;
    }

    private Collection<StreamsMetadata> instances() {
        try {
            return streams.metadataForAllStreamsClients();
        } catch (IllegalStateException | StreamsNotStartedException e) {
            return List.of(); // no instance is known before the start or after the end
        }
    }

    /* Excludes this instance, and instances without an address. */
    private boolean isAnother(HostInfo host) {
        return host != null
                && !host.equals(HostInfo.unavailable())
                && host.port() > 0
                && !self.equals(Optional.of(host));
    }

    private WorkspaceQueries queries(int partition, boolean stale) {
        Function<String, ReadOnlyKeyValueStore<Bytes, byte[]>> stores = name -> {
            StoreQueryParameters<ReadOnlyKeyValueStore<Bytes, byte[]>> store = StoreQueryParameters.fromNameAndType(
                            name, QueryableStoreTypes.<Bytes, byte[]>keyValueStore())
                    .withPartition(partition);
            try {
                return streams.store(stale ? store.enableStaleStores() : store);
            } catch (IllegalStateException e) { // Streams has stopped, but the HTTP threads still run
                throw new InvalidStateStoreException("store " + name + " is closed", e);
            }
        };
        return new WorkspaceQueries(stores, stale ? new LiveHeads() : live, keys);
    }

    /*
     * Kafka Streams computes the lag from the last record read from a changelog. The end of a transaction also takes an
     * offset, so a complete copy has a lag of one. Brokers are asked for the end offsets.
     */
    private long behind(int partition) {
        try {
            return streams.allLocalStorePartitionLags().values().stream()
                    .map((Map<Integer, LagInfo> lags) -> lags.get(partition))
                    .filter(lag -> lag != null)
                    .mapToLong(lag -> Math.max(0, lag.offsetLag() - 1))
                    .sum();
        } catch (StreamsException e) {
            throw new InvalidStateStoreException("how far a copy is behind is not known", e);
        }
    }
}
