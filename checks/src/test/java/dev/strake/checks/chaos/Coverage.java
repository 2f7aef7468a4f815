package dev.strake.checks.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.serdes.TopicNames;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.outcome.OutcomeStatus;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * How many revisions of a history came of what a run is there to try: a promise that was kept means nothing where there
 * was nothing to break it.
 */
record Coverage(Map<What, Integer> revisions) {

    private static final int LARGE = 64;

    /** So short a run need not have come across everything. */
    private static final int SHORT = 1_000;

    private enum What {
        /** Made 64 documents or more be rendered, side by side. */
        LARGE_FAMILIES,
        ROLLBACKS,
        CHAINS,
        SCHEMAS,
        OPERATIONS,
        YAML,
        /** Not published, or not as a whole. */
        WITH_PROBLEMS
    }

    static Coverage of(History history) {
        Map<String, ConsumerRecord<byte[], byte[]>> changes = new HashMap<>();
        history.topic(TopicNames.CHANGES).forEach(change -> changes.put(WorkspaceCheck.place(change), change));
        Map<What, Integer> revisions = new EnumMap<>(What.class);
        Set<String> seen = new HashSet<>();
        for (ConsumerRecord<byte[], byte[]> record : history.topic(TopicNames.OUTCOMES)) {
            Outcome outcome = OutcomeJson.read(record.value());
            if (outcome.status().isOfRevision() && seen.add(outcome.change().input())) {
                for (What what : What.values()) {
                    boolean is = is(what, outcome, changes.get(outcome.change().input()));
                    revisions.merge(what, is ? 1 : 0, Integer::sum);
                }
            }
        }
        return new Coverage(revisions);
    }

    private static boolean is(What what, Outcome outcome, ConsumerRecord<byte[], byte[]> change) {
        String bucket = Objects.requireNonNullElse(outcome.change().bucket(), "");
        return switch (what) {
            case LARGE_FAMILIES -> outcome.work().evaluated() >= LARGE;
            case ROLLBACKS -> outcome.change().type().equals(ChangeType.ROLLBACK.text());
            case CHAINS -> bucket.startsWith("chain");
            case SCHEMAS -> bucket.equals("schemas");
            case OPERATIONS -> bucket.equals("operations");
            case YAML ->
                change != null
                        && change.value() != null
                        && change.value().length > 0
                        && change.value()[0] != '{'
                        && change.value()[0] != '[';
            case WITH_PROBLEMS -> outcome.status() != OutcomeStatus.RENDERED;
        };
    }

    /** Fails if a run of so many revisions left something out. */
    void requireAll(long count) {
        if (count >= SHORT) {
            assertThat(revisions.values()).as("something of each: " + this).doesNotContain(0);
        }
    }
}
