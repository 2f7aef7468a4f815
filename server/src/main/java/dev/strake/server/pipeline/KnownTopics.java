package dev.strake.server.pipeline;

import dev.strake.client.KafkaUnavailableException;
import dev.strake.client.MisconfiguredException;
import dev.strake.server.kafka.PartitionCounts;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.streams.errors.MissingSourceTopicException;

/**
 * The topics and changelogs as the pipeline first saw them. Whoever deletes one of them while the pipeline runs, creates
 * it anew or adds partitions takes away what it relies on, so it has to stop; this says for what, in words.
 */
final class KnownTopics {

    private final String changes;
    private final int partitions;

    /** The id of each topic that was seen, by its name. */
    private final Map<String, String> ids = new HashMap<>();

    /** Topics that the last look missed. */
    private final Set<String> missed = new HashSet<>();

    /**
     * @param changes name of the topic of changes
     * @param changesId the id that it had at the start
     * @param partitions that all topics had at the start
     */
    KnownTopics(String changes, String changesId, int partitions) {
        this.changes = changes;
        this.partitions = partitions;
        ids.put(changes, changesId);
    }

    /**
     * Compares the topics that there are with those that are known.
     *
     * @return what the pipeline has to end for; a topic is gone if two looks in a row miss it, as a broker may know it late
     */
    synchronized Optional<RuntimeException> look(Map<String, TopicDescription> there) {
        there.forEach((name, topic) -> ids.putIfAbsent(name, topic.topicId().toString()));
        Optional<RuntimeException> changed = changed(there);
        if (changed.isPresent()) {
            return changed;
        }
        Set<String> missing = new HashSet<>(ids.keySet());
        missing.removeAll(there.keySet());
        Optional<RuntimeException> gone =
                missing.stream().filter(missed::contains).sorted().findFirst().map(name -> fault(name, "deleted"));
        missed.clear();
        missed.addAll(missing);
        return gone;
    }

    /**
     * What is behind a failure of Kafka Streams, if it is the topics. It may notice before anybody looks that the topic of
     * changes is gone.
     *
     * @param there the topics that there are now; empty if Kafka does not tell
     */
    synchronized Optional<RuntimeException> behind(Throwable failure, Map<String, TopicDescription> there) {
        return changed(there)
                .or(() -> isOfMissingSource(failure) ? Optional.of(fault(changes, "deleted")) : Optional.empty());
    }

    private static boolean isOfMissingSource(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof MissingSourceTopicException) {
                return true;
            }
        }
        return false;
    }

    private Optional<RuntimeException> changed(Map<String, TopicDescription> there) {
        Optional<RuntimeException> apart =
                PartitionCounts.of(changes, there).apartFrom(partitions).map(MisconfiguredException::new);
        if (apart.isPresent()) {
            return apart;
        }
        return there.entrySet().stream()
                .filter(each -> ids.containsKey(each.getKey())
                        && !ids.get(each.getKey())
                                .equals(each.getValue().topicId().toString()))
                .map(Map.Entry::getKey)
                .sorted()
                .findFirst()
                .map(name -> fault(name, "deleted and created anew"));
    }

    private RuntimeException fault(String topic, String what) {
        String told = "The topic %s was %s while the pipeline ran".formatted(topic, what);
        return topic.equals(changes)
                ? new KafkaUnavailableException(
                        told
                                + ", so offsets in it name other records than before. Start again: the pipeline creates it if it is not there, and goes on with its first record.")
                : new MisconfiguredException(
                        told
                                + ". What it held is gone, and changes that are already processed do not bring it back, so the pipeline has stopped. Restore it from a backup, or rebuild (docs/operating.md, When state is gone).");
    }
}
