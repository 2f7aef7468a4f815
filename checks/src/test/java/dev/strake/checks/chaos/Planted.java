package dev.strake.checks.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.TopicNames;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.rendered.RenderedHeaders;
import dev.strake.serdes.rendered.RenderedKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** Creates copies of histories with planted faults. */
final class Planted {

    private static final int KEPT = 1_000;

    private Planted() {}

    /** Copies a history with one topic modified. */
    static History in(History sound, String topic, Consumer<List<ConsumerRecord<byte[], byte[]>>> fault) {
        Map<String, List<ConsumerRecord<byte[], byte[]>>> records = new TreeMap<>(sound.records());
        List<ConsumerRecord<byte[], byte[]>> changed = new ArrayList<>(sound.topic(topic));
        fault.accept(changed);
        assertThat(changed).isNotEqualTo(sound.topic(topic));
        records.put(topic, changed);
        return new History(sound.prefix(), sound.partitions(), records);
    }

    /**
     * Adapts counts and hashes in outcomes to the records. Such a fault is one that the pipeline itself does not
     * notice, and that a check of hashes alone does not find.
     */
    static History believed(History planted) {
        Map<String, Deque<ConsumerRecord<byte[], byte[]>>> rendered = new HashMap<>();
        planted.topic(TopicNames.RENDERED)
                .forEach(record -> rendered.computeIfAbsent(workspace(record), name -> new ArrayDeque<>())
                        .add(record));
        Map<String, View> views = new HashMap<>();
        return in(
                planted,
                TopicNames.OUTCOMES,
                outcomes -> outcomes.replaceAll(outcome -> believed(
                        outcome,
                        rendered.computeIfAbsent(workspace(outcome), name -> new ArrayDeque<>()),
                        views.computeIfAbsent(workspace(outcome), name -> new View()))));
    }

    private static ConsumerRecord<byte[], byte[]> believed(
            ConsumerRecord<byte[], byte[]> outcome, Deque<ConsumerRecord<byte[], byte[]>> rendered, View view) {
        if (OutcomeJson.read(outcome.value()).status() == OutcomeStatus.PLANNED) {
            return outcome; // of something never published
        }
        long revision = OutcomeJson.read(outcome.value()).revision();
        int emitted = 0;
        int removed = 0;
        while (!rendered.isEmpty() && DocumentsCheck.revision(rendered.getFirst()) <= revision) {
            ConsumerRecord<byte[], byte[]> each = rendered.removeFirst();
            view.take(RenderedKey.of(each.key()).document(), each.value());
            emitted += each.value() == null ? 0 : 1;
            removed += each.value() == null ? 1 : 0;
        }
        MapValue json = (MapValue) JsonReader.read(outcome.value());
        return withValue(
                outcome,
                JsonBytes.of(json.with("emitted", Num.of(emitted))
                        .with("removed", Num.of(removed))
                        .with("rendered", Num.of(view.size()))
                        .with("contentHash", new Text(view.hash()))));
    }

    /** Finds the first record of a topic that suits a fault. */
    static int find(History sound, String topic, Predicate<ConsumerRecord<byte[], byte[]>> wanted, int from) {
        List<ConsumerRecord<byte[], byte[]>> records = sound.topic(topic);
        for (int i = from; i < records.size(); i++) {
            if (wanted.test(records.get(i))) {
                return i;
            }
        }
        throw new AssertionError("no record of " + topic + " is fit for this fault; take another seed");
    }

    /** Checks a history and expects at least these broken promises. */
    static void assertBroken(History planted, Promise... promises) {
        Verdict verdict = Checker.check(planted, 1, KEPT);
        assertThat(verdict.broken()).as(verdict.toString()).contains(promises);
    }

    /** Checks a history and expects exactly this broken promise. */
    static void assertBrokenAlone(History planted, Promise promise) {
        Verdict verdict = Checker.check(planted, 1, KEPT);
        assertThat(verdict.broken()).as(verdict.toString()).containsExactly(promise);
    }

    static void assertFine(History sound) {
        assertThat(Checker.check(sound, 1, KEPT).lines()).allMatch(line -> line.contains(" ok "));
    }

    static Outcome outcome(ConsumerRecord<byte[], byte[]> record) {
        return OutcomeJson.read(record.value());
    }

    static String workspace(ConsumerRecord<byte[], byte[]> record) {
        return new String(record.key(), StandardCharsets.UTF_8).split("\\|", 2)[0];
    }

    static ConsumerRecord<byte[], byte[]> withValue(ConsumerRecord<byte[], byte[]> record, byte[] value) {
        return with(record, record.partition(), value, record.headers());
    }

    /** A rendered document with another value, and the hash of that value in its headers. */
    static ConsumerRecord<byte[], byte[]> withDocument(ConsumerRecord<byte[], byte[]> record, Value value) {
        byte[] json = JsonBytes.of(value);
        return withHeader(withValue(record, json), HeaderNames.CONTENT_HASH, RenderedHeaders.contentHash(json));
    }

    /** A rendered document as another revision would have published it. */
    static ConsumerRecord<byte[], byte[]> ofRevision(ConsumerRecord<byte[], byte[]> record, long revision) {
        String id = RenderedKey.of(record.key()).text() + "@" + revision;
        return withHeader(withHeader(record, HeaderNames.REVISION, String.valueOf(revision)), HeaderNames.CE_ID, id);
    }

    static ConsumerRecord<byte[], byte[]> withMember(ConsumerRecord<byte[], byte[]> record, String name, Value value) {
        return withValue(record, JsonBytes.of(((MapValue) JsonReader.read(record.value())).with(name, value)));
    }

    static ConsumerRecord<byte[], byte[]> withHeader(ConsumerRecord<byte[], byte[]> record, String name, String text) {
        Headers headers = new RecordHeaders(record.headers()).remove(name);
        return with(
                record, record.partition(), record.value(), headers.add(name, text.getBytes(StandardCharsets.UTF_8)));
    }

    static ConsumerRecord<byte[], byte[]> with(
            ConsumerRecord<byte[], byte[]> record, int partition, byte[] value, Headers headers) {
        return History.record(
                record.topic(), partition, record.offset(), record.timestamp(), record.key(), value, headers);
    }

    /** The same map with its keys in reverse order. */
    static MapValue reversed(MapValue map) {
        MapValue.Builder result = MapValue.builder();
        for (int i = map.size() - 1; i >= 0; i--) {
            result.put(map.keyAt(i), map.valueAt(i));
        }
        return result.build();
    }
}
