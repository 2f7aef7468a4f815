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

/** Which instance has the state of a workspace: one has it to work on, others may keep a copy ready (a standby). */
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

    /** Where to ask about a workspace. */
    public sealed interface Holder {}

    /**
     * This instance.
     *
     * @param state fails with an {@link InvalidStateStoreException} once it is closed
     * @param behind empty where this instance works on the workspace; where it has a copy, how many records, at the
     *     most, that is behind
     */
    public record Here(WorkspaceQueries state, OptionalLong behind) implements Holder {}

    /**
     * Another instance.
     *
     * @param address host and port of its HTTP
     */
    public record Elsewhere(String address) implements Holder {}

    /** Tasks are being assigned, or the instance that has it has no address (strake.http.advertised). */
    public record NotKnown() implements Holder {}

    /** Whether this instance works on a workspace. */
    public boolean holds(String workspace) {
        return active().contains(WorkspaceKey.partition(workspace, partitions));
    }

    /**
     * The place of a workspace.
     *
     * @param fromStandby rather one that has a copy; the one that works on it if there is none
     * @throws InvalidStateStoreException while the stores that are here are not open
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

    /* Another instance that has the tasks of a partition. */
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
     * The stores of the partitions that this instance works on.
     *
     * @throws InvalidStateStoreException while one is not open
     */
    public List<WorkspaceQueries> here() {
        return active().stream().map(partition -> queries(partition, false)).toList();
    }

    /**
     * The addresses of the instances that work on all the other partitions; empty while somebody may work on one who is
     * not known.
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

    /** The partitions whose workspaces this instance works on. */
    public NavigableSet<Integer> active() {
        return tasks(ThreadMetadata::activeTasks);
    }

    /** The partitions whose workspaces it has a copy of. */
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
            return List.of(); // nobody is known before the start, and after the end
        }
    }

    /* An instance without an address is known by that of nobody; and what we do not have we do not have. */
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
            } catch (IllegalStateException e) { // the threads are not gone yet, and Streams has stopped
                throw new InvalidStateStoreException("store " + name + " is closed", e);
            }
        };
        return new WorkspaceQueries(stores, stale ? new LiveHeads() : live, keys);
    }

    /*
     * Kafka Streams counts offsets from the last record of a changelog that was read. The end of a transaction takes an
     * offset too, so a copy that has everything is said to lag by that one. The brokers are asked for the ends.
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
