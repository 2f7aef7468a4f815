package dev.strake.server.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.client.KafkaUnavailableException;
import dev.strake.client.MisconfiguredException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.streams.errors.MissingSourceTopicException;
import org.apache.kafka.streams.errors.StreamsException;
import org.junit.jupiter.api.Test;

/** What is said of topics that somebody deletes, creates anew or enlarges while the pipeline runs. */
class KnownTopicsTest {

    private static final String CHANGES = "strake.document-changes";
    private static final String RENDERED = "strake.rendered-documents";
    private static final String CHANGELOG = "strake-documents-changelog";

    private final Map<String, TopicDescription> there = new TreeMap<>();
    private final KnownTopics known;

    KnownTopicsTest() {
        create(CHANGES, 2);
        create(RENDERED, 2);
        create(CHANGELOG, 2);
        known = new KnownTopics(CHANGES, there.get(CHANGES).topicId().toString(), 2);
        assertThat(known.look(there)).isEmpty();
    }

    /** As Kafka Streams throws it in the rebalance that finds no topic of changes. */
    private static StreamsException missed() {
        return new MissingSourceTopicException("One or more source topics were missing during rebalance");
    }

    private void create(String name, int partitions) {
        Node node = new Node(0, "localhost", 9092);
        List<TopicPartitionInfo> all = IntStream.range(0, partitions)
                .mapToObj(each -> new TopicPartitionInfo(each, node, List.of(node), List.of(node)))
                .toList();
        there.put(name, new TopicDescription(name, false, all, null, Uuid.randomUuid()));
    }

    @Test
    void shouldSayThatTheTopicOfChangesWasDeletedWhereStreamsMissesItFirst() {
        there.remove(CHANGES);
        assertThat(known.behind(missed(), there))
                .get()
                .isInstanceOf(KafkaUnavailableException.class)
                .extracting(Throwable::getMessage)
                .asString()
                .contains(CHANGES + " was deleted while the pipeline ran")
                .contains("Start again");
    }

    /* A failure comes wrapped, and Kafka may not answer any more. */
    @Test
    void shouldSaySoThoughKafkaDoesNotTellWhatTopicsThereAre() {
        RuntimeException wrapped = new StreamsException("thread", missed());
        assertThat(known.behind(wrapped, Map.of()))
                .get()
                .isInstanceOf(KafkaUnavailableException.class)
                .extracting(Throwable::getMessage)
                .asString()
                .contains(CHANGES + " was deleted");
    }

    @Test
    void shouldSayThatItWasCreatedAnewWhereItIsThereAgain() {
        create(CHANGES, 2);
        for (Optional<RuntimeException> told : List.of(known.behind(missed(), there), known.look(there))) {
            assertThat(told)
                    .get()
                    .isInstanceOf(KafkaUnavailableException.class)
                    .extracting(Throwable::getMessage)
                    .asString()
                    .contains(CHANGES + " was deleted and created anew while the pipeline ran");
        }
    }

    /* A broker that has just started may not know it yet. */
    @Test
    void shouldBelieveThatATopicIsGoneWhenItIsMissedTwice() {
        Map<String, TopicDescription> fewer = new HashMap<>(there);
        fewer.remove(CHANGES);
        assertThat(known.look(fewer)).isEmpty();
        assertThat(known.look(there)).isEmpty();
        assertThat(known.look(fewer)).isEmpty();
        assertThat(known.look(fewer)).get().isInstanceOf(KafkaUnavailableException.class);
    }

    @Test
    void shouldSayWhatIsLostWithATopicOfOutput() {
        create(RENDERED, 2);
        assertThat(known.look(there))
                .get()
                .isInstanceOf(MisconfiguredException.class)
                .extracting(Throwable::getMessage)
                .asString()
                .contains(RENDERED + " was deleted and created anew")
                .contains("docs/operating.md, When state is gone");
    }

    @Test
    void shouldSayWhatIsLostWithAChangelog() {
        there.remove(CHANGELOG);
        assertThat(known.look(there)).isEmpty();
        assertThat(known.look(there))
                .get()
                .isInstanceOf(MisconfiguredException.class)
                .extracting(Throwable::getMessage)
                .asString()
                .contains(CHANGELOG + " was deleted while the pipeline ran")
                .contains("docs/operating.md, When state is gone");
    }

    /* Kafka Streams creates them with its first rebalance. */
    @Test
    void shouldNotMissAChangelogThatWasNeverThere() {
        create("strake-revisions-changelog", 2);
        assertThat(known.look(there)).isEmpty();
    }

    @Test
    void shouldNameTheTopicsWithOtherPartitions() {
        create(CHANGES, 3);
        assertThat(known.look(there))
                .get()
                .isInstanceOf(MisconfiguredException.class)
                .extracting(Throwable::getMessage)
                .asString()
                .contains("The topics had 2 partitions")
                .contains(CHANGES + "=3")
                .contains(CHANGES + " holds no state: delete it, and the next start creates it with 2");
    }

    @Test
    void shouldNotSayToDeleteAChangelogThatGotPartitions() {
        create(CHANGELOG, 3);
        assertThat(known.look(there))
                .get()
                .isInstanceOf(MisconfiguredException.class)
                .extracting(Throwable::getMessage)
                .asString()
                .contains(CHANGELOG + "=3", "docs/operating.md, When state is gone")
                .doesNotContain("delete", "anew");
    }

    @Test
    void shouldLeaveOtherFailuresToWhoeverKnowsMore() {
        assertThat(known.behind(new StreamsException("something else"), there)).isEmpty();
        assertThat(known.behind(new StreamsException("something else"), Map.of()))
                .isEmpty();
    }
}
