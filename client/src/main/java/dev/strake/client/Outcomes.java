package dev.strake.client;

import dev.strake.serdes.TopicNames;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;

/** Reads what became of the changes of one workspace, as far back as the topic of outcomes goes. */
public final class Outcomes {

    /** Outcomes of other workspaces lie in between, so more is read than is wanted. */
    private static final long FIRST_LOOK = 1_000;

    private static final int DEEPER = 16;

    private final Cluster cluster;
    private final String topic;
    private final String workspace;
    private final Duration timeout;

    /**
     * @param topicPrefix of the topics' names
     * @param timeout for all of an answer
     */
    public Outcomes(Cluster cluster, String topicPrefix, String workspace, Duration timeout) {
        this.cluster = cluster;
        this.topic = topicPrefix + TopicNames.OUTCOMES;
        this.workspace = workspace;
        this.timeout = timeout;
    }

    /**
     * The last outcomes, the oldest first.
     *
     * @param most how many at the most
     * @param wanted which
     * @throws KafkaUnavailableException if the cluster does not answer in time or has no such topic
     */
    public List<Outcome> last(int most, Predicate<Outcome> wanted) {
        long deadline = System.nanoTime() + timeout.toNanos();
        byte[] key = workspace.getBytes(StandardCharsets.UTF_8);
        try (PartitionReader reader = PartitionReader.open(cluster, topic, workspace, false, timeout)) {
            for (long offsets = FIRST_LOOK; ; offsets *= DEEPER) {
                Deque<Outcome> found = new ArrayDeque<>();
                boolean isAll = reader.goBack(offsets);
                reader.readToEnd(deadline, message -> {
                    if (!Arrays.equals(message.key(), key) || message.value() == null) {
                        return;
                    }
                    Outcome outcome = OutcomeJson.read(message.value());
                    if (wanted.test(outcome)) {
                        found.add(outcome);
                        if (found.size() > most) {
                            found.remove();
                        }
                    }
                });
                if (isAll || found.size() == most) {
                    return List.copyOf(found);
                }
            }
        }
    }
}
