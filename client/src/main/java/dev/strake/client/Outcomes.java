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

/** Reads the outcomes of the changes of one workspace, as far back as the topic of outcomes reaches. */
public final class Outcomes {

    /** Outcomes of other workspaces lie in between, so more offsets are read than outcomes are wanted. */
    private static final long FIRST_LOOK = 1_000;

    private static final int DEEPER = 16;

    private final Cluster cluster;
    private final String topic;
    private final String workspace;
    private final Duration timeout;

    /**
     * @param topicPrefix the prefix of topic names
     * @param timeout for each call as a whole
     */
    public Outcomes(Cluster cluster, String topicPrefix, String workspace, Duration timeout) {
        this.cluster = cluster;
        this.topic = topicPrefix + TopicNames.OUTCOMES;
        this.workspace = workspace;
        this.timeout = timeout;
    }

    /**
     * Returns the most recent outcomes that match, oldest first.
     *
     * @param most the maximum number of outcomes
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
