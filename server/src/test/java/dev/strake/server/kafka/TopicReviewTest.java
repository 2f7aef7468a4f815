package dev.strake.server.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.strake.serdes.text.JsonValues;
import dev.strake.server.kafka.TopicReview.Actual;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.junit.jupiter.api.Test;

/** Commands of messages that nothing here can run: a shell reads them as it would read what somebody pastes. */
class TopicReviewTest {

    @Test
    void shouldTellACommandThatAddsReplicasToThoseThatAreThere() throws Exception {
        Actual topic = topic("strake.outcomes", 2, 3);
        TopicReview review = new TopicReview("kafka:9092", topic, 2, false, Optional.of((short) 3), List.of(1, 2, 3));

        List<String> given = pasted(command(review.faults(topic, settings()), "kafka-reassign-partitions.sh"));

        assertThat(given)
                .startsWith("--bootstrap-server", "kafka:9092", "--execute", "--reassignment-json-file")
                .hasSize(5);
        assertThat(JsonValues.read(given.get(4).getBytes(UTF_8))).isEqualTo(JsonValues.read("""
                        {"version": 1, "partitions": [
                         {"topic": "strake.outcomes", "partition": 0, "replicas": [2, 1, 3]},
                         {"topic": "strake.outcomes", "partition": 1, "replicas": [3, 2, 1]}]}
                        """.getBytes(UTF_8)));
    }

    @Test
    void shouldTellACommandThatDeletesATopicOfAnotherNumberOfPartitionsAndWhenToUseIt() throws Exception {
        Actual topic = topic("strake.outcomes", 1, 1);
        TopicReview review = new TopicReview("kafka:9092", topic, 3, false, Optional.empty(), List.of(1));

        String command = command(review.faults(topic, settings()), "kafka-topics.sh");

        assertThat(command).contains("only if nothing in it is in use");
        assertThat(pasted(command))
                .containsExactly("--bootstrap-server", "kafka:9092", "--delete", "--topic", "strake.outcomes");
    }

    @Test
    void shouldTellNoCommandThatDeletesWhereThereIsState() {
        Actual topic = topic("strake-documents-changelog", 1, 1);
        TopicReview review = new TopicReview("kafka:9092", topic, 3, true, Optional.empty(), List.of(1));

        assertThat(review.faults(topic, settings()))
                .containsExactly(
                        "strake-documents-changelog: it has 2 partitions and has to have 3, as all topics have one count and keep it");
    }

    /* Whoever ran the command of one start was told the opposite by the next one. */
    @Test
    void shouldTellNoValueWhereMoreReplicasHaveToBeInSyncThanThereAre() {
        Map<String, String> two = new TreeMap<>(settings());
        two.put("min.insync.replicas", "2");
        for (String now : List.of("1", "2")) {
            Actual topic = topic("strake.outcomes", 1, 1).with(Map.of("min.insync.replicas", now));
            TopicReview review = new TopicReview("kafka:9092", topic, 2, false, Optional.empty(), List.of(1));

            assertThat(review.faults(topic, two)).isEmpty();
            assertThat(review.tooFewForSync(List.of(topic), Map.of("strake.outcomes", two)))
                    .get(STRING)
                    .contains("strake.min-insync-replicas is 2", "{strake.outcomes=1}")
                    .contains("Either lower strake.min-insync-replicas to 1, or set strake.replication-factor to 3");
        }
    }

    @Test
    void shouldTellBothCommandsWhereEnoughReplicasAreAskedFor() {
        Map<String, String> two = new TreeMap<>(settings());
        two.put("min.insync.replicas", "2");
        Actual topic = topic("strake.outcomes", 1, 1);
        TopicReview review = new TopicReview("kafka:9092", topic, 2, false, Optional.of((short) 3), List.of(1, 2, 3));

        Actual one = topic.with(Map.of("min.insync.replicas", "1"));
        assertThat(review.tooFewForSync(List.of(one), Map.of("strake.outcomes", two)))
                .isEmpty();
        assertThat(review.faults(one, two))
                .contains(
                        "strake.outcomes: min.insync.replicas is 1 and has to be 2 or more, as strake.min-insync-replicas says",
                        "strake.outcomes: it has 1 replicas and strake.replication-factor asks for 3");
        assertThat(review.faults(topic.with(Map.of("min.insync.replicas", "2")), two))
                .noneMatch(line -> line.contains("min.insync.replicas"));
    }

    @Test
    void shouldTellAValueOfReplicasInSyncThatTheNextStartTakes() {
        Map<String, String> two = new TreeMap<>(settings());
        two.put("min.insync.replicas", "2");
        List<Node> replicas = List.of(new Node(1, "kafka", 9092), new Node(2, "kafka", 9092));
        TopicDescription described = new TopicDescription(
                "strake.outcomes", false, List.of(new TopicPartitionInfo(0, replicas.get(0), replicas, replicas)));
        Actual topic = new Actual(described, new Config(List.of())).with(Map.of("min.insync.replicas", "3"));
        TopicReview review = new TopicReview("kafka:9092", topic, 1, false, Optional.empty(), List.of(1, 2));

        Map<String, String> mending = review.mending(topic, two);

        assertThat(mending).containsEntry("min.insync.replicas", "2");
        assertThat(review.faults(topic.with(mending), two)).isEmpty();
    }

    private static String command(List<String> lines, String tool) {
        return lines.stream()
                .filter(line -> line.startsWith("    " + tool + " "))
                .findFirst()
                .orElseThrow();
    }

    /* The arguments that the tool gets; in the place of a file what it holds. */
    private static List<String> pasted(String command) throws Exception {
        String tool = command.strip().split(" ", 2)[0];
        String stand =
                tool + "() { for each; do if [ -p \"$each\" ]; then cat \"$each\"; else echo \"$each\"; fi; done; }\n";
        Process shell = new ProcessBuilder("bash", "-c", stand + command)
                .redirectErrorStream(true)
                .start();
        String output = new String(shell.getInputStream().readAllBytes(), UTF_8);
        assertThat(shell.waitFor()).as(output).isZero();
        return output.lines().toList();
    }

    private static Map<String, String> settings() {
        return Map.of("cleanup.policy", "delete", "max.message.bytes", "1");
    }

    /* With a partition on each of these brokers. */
    private static Actual topic(String name, int... brokers) {
        List<TopicPartitionInfo> partitions = IntStream.range(0, brokers.length)
                .mapToObj(number -> {
                    List<Node> replicas = List.of(new Node(brokers[number], "kafka", 9092));
                    return new TopicPartitionInfo(number, replicas.get(0), replicas, replicas);
                })
                .toList();
        return new Actual(new TopicDescription(name, false, partitions), new Config(List.of()));
    }
}
