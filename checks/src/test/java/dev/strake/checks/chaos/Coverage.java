package dev.strake.checks.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.serdes.TopicNames;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.outcome.OutcomeStatus;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Counts the revisions of a history that exercise a feature. A promise that was kept proves nothing if nothing could
 * have broken it.
 *
 * @param families whose change rendered 64 documents or more in parallel
 * @param rollbacks to an existing revision other than the head
 * @param chains whose change edited replacements
 * @param schemas whose change edited schemas
 * @param operations whose change edited operations
 * @param yaml whose change was YAML
 * @param held with a problem: not published, or only in part
 */
record Coverage(int families, int rollbacks, int chains, int schemas, int operations, int yaml, int held) {

    private static final int LARGE = 64;

    /** A run with fewer revisions need not cover everything. */
    private static final int SHORT = 1_000;

    static Coverage of(History history) {
        Map<String, ConsumerRecord<byte[], byte[]>> changes = new HashMap<>();
        history.topic(TopicNames.CHANGES).forEach(change -> changes.put(WorkspaceCheck.place(change), change));
        Coverage sum = new Coverage(0, 0, 0, 0, 0, 0, 0);
        Set<String> seen = new HashSet<>();
        for (ConsumerRecord<byte[], byte[]> record : history.topic(TopicNames.OUTCOMES)) {
            Outcome outcome = OutcomeJson.read(record.value());
            if (outcome.status().isOfRevision() && seen.add(outcome.change().input())) {
                sum = sum.plus(of(outcome, changes.get(outcome.change().input())));
            }
        }
        return sum;
    }

    private static Coverage of(Outcome outcome, ConsumerRecord<byte[], byte[]> change) {
        String bucket =
                outcome.change().bucket() == null ? "" : outcome.change().bucket();
        return new Coverage(
                count(outcome.work().evaluated() >= LARGE),
                count(outcome.change().type().equals(ChangeType.ROLLBACK.text())),
                count(bucket.startsWith("chain")),
                count(bucket.equals("schemas")),
                count(bucket.equals("operations")),
                count(isYaml(change)),
                count(outcome.status() != OutcomeStatus.RENDERED));
    }

    private static boolean isYaml(ConsumerRecord<byte[], byte[]> change) {
        return change != null
                && change.value() != null
                && change.value().length > 0
                && change.value()[0] != '{'
                && change.value()[0] != '[';
    }

    private static int count(boolean is) {
        return is ? 1 : 0;
    }

    private Coverage plus(Coverage other) {
        return new Coverage(
                families + other.families,
                rollbacks + other.rollbacks,
                chains + other.chains,
                schemas + other.schemas,
                operations + other.operations,
                yaml + other.yaml,
                held + other.held);
    }

    /** Fails if a run with the given number of revisions did not cover a feature. */
    void requireAll(long revisions) {
        if (revisions >= SHORT) {
            assertThat(new int[] {families, rollbacks, chains, schemas, operations, yaml, held})
                    .as("something of each: " + this)
                    .doesNotContain(0);
        }
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%,d of large families, %,d rollbacks, %,d of chains, %,d of schemas, %,d of operations, %,d in YAML, "
                        + "%,d with problems",
                families,
                rollbacks,
                chains,
                schemas,
                operations,
                yaml,
                held);
    }
}
