package dev.strake.checks.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.checks.chaos.Followed.Delivered;
import dev.strake.serdes.TopicNames;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Long test: subscriptions that were stopped while brokers compacted the topics. */
@Tag("long")
class CompactionIT {

    private static final String RENDERED = "strake." + TopicNames.RENDERED;

    /** The most rounds of changes, one every few seconds, until old segments are compacted. */
    private static final int ROUNDS = 30;

    @Test
    void shouldDeliverWholeSetsToConsumersThatMissedACompaction() throws Exception {
        try (Run run = new Run("compacted", "hold-document")) {
            run.begin(1, Run.PER_SECOND);
            run.letWork(15_000);
            run.followers().stayAway();
            run.letWork(15_000);
            History before = run.historyAtRest();
            compactAtOnce(run);
            History left = awaitCompacted(run, before);
            Set<String> there = new HashSet<>();
            left.records().values().forEach(all -> all.forEach(each -> there.add(WorkspaceCheck.place(each))));
            History all = union(before, left);
            run.followers().comeBack();
            Verdict verdict = new Verdict();
            run.followers().judge(all, each -> there.contains(WorkspaceCheck.place(each)), verdict);
            System.out.printf(
                    "compacted: of %,d rendered records %,d are left; %s%n",
                    all.topic(TopicNames.RENDERED).size(),
                    left.topic(TopicNames.RENDERED).size(),
                    verdict);
            assertThat(verdict.isFine()).as(verdict.toString()).isTrue();
            run.followers()
                    .stories()
                    .forEach((workspace, story) -> assertThat(behindTheLastStart(story))
                            .as("updates of " + workspace + " since it came back, for several revisions each")
                            .isPositive()
                            .isLessThan(revisionsBehindTheLastStart(workspace, story, all)));
        }
    }

    private static void compactAtOnce(Run run) throws Exception {
        Map<String, String> wanted =
                Map.of("segment.ms", "100", "min.cleanable.dirty.ratio", "0.0", "delete.retention.ms", "0");
        List<AlterConfigOp> changes = wanted.entrySet().stream()
                .map(each ->
                        new AlterConfigOp(new ConfigEntry(each.getKey(), each.getValue()), AlterConfigOp.OpType.SET))
                .toList();
        try (Admin admin = Admin.create(run.kafka().cluster().with(Map.of()))) {
            admin.incrementalAlterConfigs(Map.of(new ConfigResource(ConfigResource.Type.TOPIC, RENDERED), changes))
                    .all()
                    .get();
        }
    }

    /*
     * Only inactive segments are compacted, so new records have to follow: always of additional documents, which
     * supersede none.
     */
    private static History awaitCompacted(Run run, History before) {
        List<String> documents = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            documents.add("""
                    {"schema":"example/Extra/v1","metadata":{"schema":"metadata/Document/v1","name":"x-%d",\
                    "storagePolicy":"cleartext","layeringDefinition":{"layer":"site"}},"data":{}}""".formatted(round));
            byte[] bucket = ("[" + String.join(",", documents) + "]").getBytes(StandardCharsets.UTF_8);
            IntStream.range(0, Publishers.WORKSPACES).forEach(number -> run.send("ws-" + number, bucket));
            run.awaitCaughtUp(0);
            History now = History.read(run.kafka(), before.prefix());
            long old = now.topic(TopicNames.RENDERED).stream()
                    .filter(each -> !new String(each.key(), StandardCharsets.UTF_8).contains("/Extra/"))
                    .count();
            if (old < before.topic(TopicNames.RENDERED).size() / 2) {
                return now;
            }
        }
        throw new AssertionError("nothing was compacted");
    }

    private static History union(History one, History other) {
        Map<String, List<ConsumerRecord<byte[], byte[]>>> records = new TreeMap<>();
        for (String topic : History.TOPICS) {
            Map<String, ConsumerRecord<byte[], byte[]>> all = new TreeMap<>();
            for (History each : List.of(one, other)) {
                each.topic(topic)
                        .forEach(
                                record -> all.put("%09d@%018d".formatted(record.partition(), record.offset()), record));
            }
            records.put(topic, List.copyOf(all.values()));
        }
        return new History(one.prefix(), one.partitions(), records);
    }

    private static int lastStart(List<Followed> story) {
        for (int i = story.size() - 1; i >= 0; i--) {
            if (story.get(i) instanceof Followed.Resumed) {
                return i;
            }
        }
        throw new AssertionError("it never went on from a checkpoint");
    }

    private static long behindTheLastStart(List<Followed> story) {
        return story.subList(lastStart(story), story.size()).stream()
                .filter(Delivered.class::isInstance)
                .count();
    }

    /* Counts revisions with records after the checkpoint from which the follower last resumed. */
    private static long revisionsBehindTheLastStart(String workspace, List<Followed> story, History all) {
        int start = lastStart(story);
        int kept = story.indexOf(new Followed.Kept(((Followed.Resumed) story.get(start)).checkpoint()));
        Delivered from = story.subList(0, kept).stream()
                .filter(Delivered.class::isInstance)
                .map(Delivered.class::cast)
                .reduce((first, second) -> second)
                .orElseThrow();
        return all.topic(TopicNames.RENDERED).stream()
                .filter(each -> new String(each.key(), StandardCharsets.UTF_8).startsWith(workspace + "|"))
                .mapToLong(DocumentsCheck::revision)
                .filter(revision -> revision > from.revision())
                .distinct()
                .count();
    }
}
