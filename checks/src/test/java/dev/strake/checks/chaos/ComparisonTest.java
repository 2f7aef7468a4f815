package dev.strake.checks.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.tree.Num;
import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.TopicNames;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares two histories of the same changes: every difference is found, except those caused only by timing. */
class ComparisonTest {

    private static final long SEED = Long.getLong("strake.seed", 7);
    private static final History ONE = Recorded.of(SEED, 800);
    private static final int FEW = 100;
    private static final int KEPT = 1_000;
    private static final History SHORT = Recorded.of(SEED, FEW);
    private static final int PLACE = 10;

    @Test
    void shouldFindTwoRunsOverTheSameChangesEqual() {
        History other = Recorded.of(SEED, 800);
        assertThat(Comparison.isOfSameChanges(ONE, other)).isTrue();
        assertThat(Comparison.differences(ONE, other)).isEmpty();
    }

    @Test
    void shouldNotCompareRunsOfDifferentChanges() {
        assertThat(Comparison.isOfSameChanges(ONE, Recorded.of(SEED, 799))).isFalse();
        assertThat(Comparison.isOfSameChanges(ONE, Recorded.of(SEED + 1, 800))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {TopicNames.RENDERED, TopicNames.PROBLEMS, TopicNames.OUTCOMES})
    void shouldFindADroppedADuplicateAndASwappedRecord(String topic) {
        assertDifferent(topic, records -> records.remove(records.size() - 1));
        assertDifferent(topic, records -> records.add(PLACE, records.get(PLACE)));
        assertDifferent(topic, records -> records.add(PLACE, records.remove(PLACE - 1)));
    }

    @ParameterizedTest
    @ValueSource(strings = {TopicNames.RENDERED, TopicNames.PROBLEMS, TopicNames.OUTCOMES})
    void shouldFindAnotherHeader(String topic) {
        assertDifferent(topic, records -> {
            Headers headers = new RecordHeaders(records.get(PLACE).headers());
            headers.add("change-id", "planted".getBytes(StandardCharsets.UTF_8));
            ConsumerRecord<byte[], byte[]> record = records.get(PLACE);
            records.set(PLACE, with(record, record.timestamp(), record.value(), headers));
        });
    }

    @Test
    void shouldFindADifferentOutcomeUnlessOnlyTimesDiffer() {
        assertDifferent(TopicNames.OUTCOMES, records -> edit(records, "\"affected\":", "\"affected\":1"));
        assertDifferent(TopicNames.OUTCOMES, records -> edit(records, "document-changes-0@", "document-changes-0@9"));
        assertThat(differences(TopicNames.OUTCOMES, records -> {
                    edit(records, "\"time\":\"2026", "\"time\":\"2036");
                    ConsumerRecord<byte[], byte[]> record = records.get(PLACE);
                    records.set(PLACE, with(record, record.timestamp() + 1, record.value(), record.headers()));
                }))
                .isEmpty();
    }

    @Test
    void shouldFindAnotherTimestampOfARenderedDocument() {
        assertDifferent(TopicNames.RENDERED, records -> {
            ConsumerRecord<byte[], byte[]> record = records.get(PLACE);
            records.set(PLACE, with(record, record.timestamp() + 1, record.value(), record.headers()));
        });
    }

    @Test
    void shouldFindAMissingDeadLetterAndIgnoreTheirOrder() {
        assertDifferent(TopicNames.DEAD_LETTERS, records -> records.remove(0));
        assertThat(differences(TopicNames.DEAD_LETTERS, records -> records.add(records.remove(0))))
                .isEmpty();
    }

    @Test
    void shouldIgnoreTheNamesOfTopics() {
        Map<String, List<ConsumerRecord<byte[], byte[]>>> renamed = new TreeMap<>(ONE.records());
        renamed.replaceAll((topic, records) -> records.stream()
                .map(record -> with(
                        record,
                        record.timestamp(),
                        renamed(record.value()),
                        new RecordHeaders(Arrays.stream(record.headers().toArray())
                                .map(header -> (Header) new RecordHeader(header.key(), renamed(header.value())))
                                .toList())))
                .toList());
        History other = new History("other.", ONE.partitions(), renamed);
        assertThat(Comparison.isOfSameChanges(ONE, other)).isTrue();
        assertThat(Comparison.differences(ONE, other)).isEmpty();
    }

    @Test
    void shouldHaveTheSameFingerprintForTheSameChanges() {
        assertThat(judged(Recorded.of(SEED, FEW)).fingerprint())
                .isEqualTo(Checker.check(SHORT, 50, KEPT).fingerprint())
                .isNotEqualTo(judged(Recorded.of(SEED + 1, FEW)).fingerprint());
    }

    @Test
    void shouldReportARunWithOtherResultsAsNotDeterministic() {
        History planted = Planted.in(
                SHORT,
                TopicNames.RENDERED,
                records -> records.set(PLACE, Planted.withHeader(records.get(PLACE), HeaderNames.BUCKET, "planted")));
        Verdict verdict = judged(SHORT);
        verdict.compare(SHORT, SHORT, judged(SHORT));
        assertThat(verdict.isFine()).isTrue();
        verdict.compare(SHORT, planted, judged(planted));
        assertThat(verdict.broken()).containsExactly(Promise.DETERMINISTIC);
    }

    @Test
    void shouldChangeTheFingerprintWithProblemsAndRenderedRevision() {
        History otherProblems = Planted.in(SHORT, TopicNames.PROBLEMS, records -> records.remove(records.size() - 1));
        History otherOutcome = Planted.in(
                SHORT,
                TopicNames.OUTCOMES,
                records -> records.add(
                        Planted.withMember(records.remove(records.size() - 1), "renderedRevision", Num.of(4711))));
        assertThat(Set.of(
                        judged(SHORT).fingerprint(),
                        judged(otherProblems).fingerprint(),
                        judged(otherOutcome).fingerprint()))
                .hasSize(3);
    }

    @Test
    void shouldReportARunWithAnotherFingerprintAsNotDeterministic() {
        Verdict verdict = judged(SHORT);
        History other = Recorded.of(SEED, FEW - 1);
        verdict.compare(SHORT, other, judged(other));
        assertThat(verdict.broken()).containsExactly(Promise.DETERMINISTIC);
    }

    private static Verdict judged(History history) {
        return Checker.check(history, 1, KEPT);
    }

    private static byte[] renamed(byte[] bytes) {
        return bytes == null
                ? null
                : new String(bytes, StandardCharsets.ISO_8859_1)
                        .replace("strake.document-changes-", "other.document-changes-")
                        .getBytes(StandardCharsets.ISO_8859_1);
    }

    private static void edit(List<ConsumerRecord<byte[], byte[]>> records, String from, String to) {
        ConsumerRecord<byte[], byte[]> record = records.get(PLACE);
        String json = new String(record.value(), StandardCharsets.UTF_8);
        assertThat(json).contains(from);
        byte[] value = json.replaceFirst(from, to).getBytes(StandardCharsets.UTF_8);
        records.set(PLACE, with(record, record.timestamp(), value, record.headers()));
    }

    private static void assertDifferent(String topic, Consumer<List<ConsumerRecord<byte[], byte[]>>> fault) {
        assertThat(differences(topic, fault)).singleElement().asString().contains(topic);
    }

    private static List<String> differences(String topic, Consumer<List<ConsumerRecord<byte[], byte[]>>> fault) {
        Map<String, List<ConsumerRecord<byte[], byte[]>>> records = new TreeMap<>(ONE.records());
        List<ConsumerRecord<byte[], byte[]>> changed = new ArrayList<>(ONE.topic(topic));
        fault.accept(changed);
        assertThat(changed.equals(ONE.topic(topic))).as("nothing was planted").isFalse();
        records.put(topic, changed);
        return Comparison.differences(ONE, new History(ONE.prefix(), ONE.partitions(), records));
    }

    private static ConsumerRecord<byte[], byte[]> with(
            ConsumerRecord<byte[], byte[]> record, long timestamp, byte[] value, Headers headers) {
        return History.record(
                record.topic(), record.partition(), record.offset(), timestamp, record.key(), value, headers);
    }
}
