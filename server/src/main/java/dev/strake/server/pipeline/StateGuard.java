package dev.strake.server.pipeline;

import dev.strake.client.Cluster;
import dev.strake.client.MisconfiguredException;
import dev.strake.serdes.TopicNames;
import dev.strake.server.kafka.TopicSet;
import dev.strake.topology.RenderTopology;
import dev.strake.topology.layout.ChangesLayout;
import dev.strake.topology.layout.RevisionsLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Refuses to start if the state of processed changes was lost. Kafka Streams silently creates a missing changelog, and
 * restores what is left of a truncated one. The pipeline would then continue from the committed offsets as if
 * workspaces were empty, with wrong results from then on.
 *
 * <pre>
 *  input      ├──────── processed ────────┤ committed offset
 *  changelog  ├ ─ ─ gone ─ ─ ┼────────────┤      begins after 0: its head was deleted
 *             ┤ (ends at 0)                      empty, unlike others of its partition: deleted and created again
 *                                                missing: deleted
 * </pre>
 */
final class StateGuard {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** Stores that are written to also where no revision was made. */
    private static final Set<String> WITHOUT_REVISION = Set.of(ChangesLayout.STORE, RevisionsLayout.STORE);

    private final Cluster kafka;
    private final String applicationId;
    private final String topicPrefix;

    StateGuard(PipelineSettings settings) {
        this.kafka = settings.kafka().cluster();
        this.applicationId = settings.applicationId();
        this.topicPrefix = settings.topicPrefix();
    }

    /**
     * Compares the processed changes with the changelogs.
     *
     * @param acceptsEmpty whether a partition may start empty if all its changelogs are gone or empty. A single lost
     *     changelog is never accepted: the others still know the documents, so publishing these again changes nothing
     * @return whether a partition starts empty; then local stores may have entries that no changelog has
     * @throws MisconfiguredException if a changelog is incomplete; the message names it and says what to do
     */
    boolean check(boolean acceptsEmpty) {
        try (Admin admin = kafka.admin(TIMEOUT)) {
            Set<Integer> processed = processed(admin);
            if (processed.isEmpty()) {
                return false; // nothing processed under this application id: a first start
            }
            Set<String> topics = kafka.await(admin.listTopics().names(), TIMEOUT);
            Set<TopicPartition> partitions =
                    new TreeSet<>((a, b) -> a.toString().compareTo(b.toString())); // TopicPartition is not Comparable
            for (String store : RenderTopology.STORES) {
                if (topics.contains(changelog(store))) {
                    processed.forEach(partition -> partitions.add(new TopicPartition(changelog(store), partition)));
                } else if (!acceptsEmpty) {
                    throw refusal("the changelog " + changelog(store) + " of store " + store + " is gone");
                }
            }
            Map<TopicPartition, Long> begins = offsets(admin, partitions, OffsetSpec.earliest());
            Map<TopicPartition, Long> ends = offsets(admin, partitions, OffsetSpec.latest());
            Set<Integer> published = published(admin, processed);
            for (TopicPartition partition : partitions) {
                if (begins.get(partition) > 0) {
                    throw refusal("the changelog " + partition.topic() + " begins at offset " + begins.get(partition)
                            + " in partition " + partition.partition() + ": its older entries were deleted");
                }
            }
            boolean startsEmpty = false;
            for (int partition : processed) {
                startsEmpty |= isEmptied(partition, ends, published.contains(partition), acceptsEmpty);
            }
            return startsEmpty;
        }
    }

    /*
     * Each revision writes to every store, and publishes documents or problems. A change without a revision leaves its
     * id in `changes`, or, if rejected, nothing. Notes on the keys in use are in `revisions`, too.
     */
    private boolean isEmptied(
            int partition, Map<TopicPartition, Long> ends, boolean isPublished, boolean acceptsEmpty) {
        List<String> full = new ArrayList<>();
        List<String> empty = new ArrayList<>();
        RenderTopology.STORES.forEach(store -> {
            boolean isEmpty = ends.getOrDefault(new TopicPartition(changelog(store), partition), 0L) == 0;
            (isEmpty ? empty : full).add(store);
        });
        boolean madeRevision = isPublished || full.stream().anyMatch(store -> !WITHOUT_REVISION.contains(store));
        if (full.isEmpty() && acceptsEmpty) {
            return true;
        }
        if (madeRevision && !empty.isEmpty()) {
            throw refusal("the changelog " + changelog(empty.get(0)) + " is empty in partition " + partition
                    + ", although "
                    + (full.isEmpty()
                            ? "documents or problems were published"
                            : changelog(full.get(0)) + " has entries")
                    + " there");
        }
        return false;
    }

    /* The partitions with processed changes. */
    private Set<Integer> processed(Admin admin) {
        Map<TopicPartition, OffsetAndMetadata> committed =
                kafka.await(admin.listConsumerGroupOffsets(applicationId).partitionsToOffsetAndMetadata(), TIMEOUT);
        Set<Integer> result = new TreeSet<>();
        committed.forEach((partition, offset) -> {
            if (partition.topic().equals(topicPrefix + TopicNames.CHANGES) && offset != null && offset.offset() > 0) {
                result.add(partition.partition());
            }
        });
        return result;
    }

    /* The partitions with published documents or problems. */
    private Set<Integer> published(Admin admin, Set<Integer> partitions) {
        Set<TopicPartition> outputs = new HashSet<>();
        for (String topic : List.of(TopicNames.RENDERED, TopicNames.PROBLEMS)) {
            partitions.forEach(partition -> outputs.add(new TopicPartition(topicPrefix + topic, partition)));
        }
        Set<Integer> result = new TreeSet<>();
        offsets(admin, outputs, OffsetSpec.latest()).forEach((partition, end) -> {
            if (end > 0) {
                result.add(partition.partition());
            }
        });
        return result;
    }

    private Map<TopicPartition, Long> offsets(Admin admin, Set<TopicPartition> partitions, OffsetSpec which) {
        Map<TopicPartition, OffsetSpec> wanted =
                partitions.stream().collect(Collectors.toMap(Function.identity(), partition -> which));
        Map<TopicPartition, ListOffsetsResultInfo> answers =
                kafka.await(admin.listOffsets(wanted).all(), TIMEOUT);
        Map<TopicPartition, Long> result = new TreeMap<>((a, b) -> a.toString().compareTo(b.toString()));
        answers.forEach((partition, answer) -> result.put(partition, answer.offset()));
        return result;
    }

    private String changelog(String store) {
        return TopicSet.changelog(applicationId, store);
    }

    private MisconfiguredException refusal(String what) {
        return new MisconfiguredException("Changes were processed as '" + applicationId + "' before, but " + what
                + ". Restore the topic from a backup; or start "
                + "with another --application-id, which reads all changes again and needs an empty "
                + topicPrefix + TopicNames.RENDERED + "; or, if you publish every bucket again, delete all topics "
                + changelog("*") + ", and start once with --accept-empty-state.");
    }
}
