package dev.strake.server.pipeline;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.RecordSize;
import dev.strake.serdes.keyset.Keyset;
import dev.strake.serdes.secret.DoesNotOpenException;
import dev.strake.serdes.secret.InstalledKeys;
import dev.strake.serdes.secret.Purpose;
import dev.strake.serdes.secret.SealedLetter;
import dev.strake.serdes.secret.SecretKeyNotFoundException;
import dev.strake.serdes.secret.SecretKeys;
import dev.strake.server.CapturedLog;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.streams.StreamsConfig;
import org.junit.jupiter.api.Test;

class DeadLetterHandlerTest {

    @Test
    void shouldCountAndLogEachDeadLetter() {
        AtomicInteger counted = new AtomicInteger();
        DeadLetterHandler handler = new DeadLetterHandler();
        handler.configure(Map.of(
                StreamsConfig.ERRORS_DEAD_LETTER_QUEUE_TOPIC_NAME_CONFIG,
                "letters",
                DeadLetterHandler.OBSERVER,
                new PipelineObserver() {
                    @Override
                    public void deadLetter() {
                        counted.incrementAndGet();
                    }
                }));
        CapturedLog log = CapturedLog.of(DeadLetterHandler.class);
        try (log) {
            for (int offset = 0; offset < 3; offset++) {
                handler.handleError(
                        null,
                        new ConsumerRecord<>("changes", 3, offset, null, new byte[] {1}),
                        new SerializationException("has no key"));
            }
        }

        assertThat(counted).hasValue(3);
        assertThat(log.lines()).hasSize(3).startsWith("The record at changes-3@0 goes to letters: has no key");
    }

    @Test
    void shouldEncryptTheValueWithAKeyset() {
        Keyset keys = Keyset.create();

        ProducerRecord<byte[], byte[]> letter = letterOf(keys, "password: 6f1c22ab".getBytes(UTF_8));

        assertThat(new String(letter.value(), ISO_8859_1)).doesNotContain("6f1c22ab");
        assertThat(header(letter, HeaderNames.SEALED_WITH))
                .isEqualTo(SecretKeyNotFoundException.text(keys.current(Purpose.STORAGE)));
        assertThat(SealedLetter.open(keys, letter.value(), "changes", 3, 17))
                .asString()
                .isEqualTo("password: 6f1c22ab");
        assertThatThrownBy(() -> SealedLetter.open(keys, letter.value(), "changes", 3, 18))
                .isInstanceOf(DoesNotOpenException.class);
    }

    @Test
    void shouldKeepTheOriginalValueWithoutAKeyset() {
        ProducerRecord<byte[], byte[]> letter = letterOf(SecretKeys.NONE, "lost".getBytes(UTF_8));

        assertThat(letter.value()).asString().isEqualTo("lost");
        assertThat(letter.headers().lastHeader(HeaderNames.SEALED_WITH)).isNull();
    }

    @Test
    void shouldNotEncryptAMissingValue() {
        ProducerRecord<byte[], byte[]> letter = letterOf(Keyset.create(), null);

        assertThat(letter.value()).isNull();
        assertThat(letter.headers().lastHeader(HeaderNames.SEALED_WITH)).isNull();
    }

    @Test
    void shouldTruncateTheValueBeforeItsEncryption() {
        Keyset keys = Keyset.create();

        ProducerRecord<byte[], byte[]> letter = letterOf(keys, new byte[RecordSize.MOST + 1]);

        assertThat(RecordSize.of(letter.key(), letter.value(), letter.headers()))
                .isBetween(RecordSize.MOST - 1000L, (long) RecordSize.MOST);
        assertThat(SealedLetter.open(keys, letter.value(), "changes", 3, 17))
                .hasSizeGreaterThan(RecordSize.MOST - 16_000);
        assertThat(header(letter, HeaderNames.UNCUT_VALUE_BYTES)).isEqualTo(Integer.toString(RecordSize.MOST + 1));
    }

    @Test
    void shouldNotTrustTheEncryptionHeaderOfARecord() {
        ConsumerRecord<byte[], byte[]> record = new ConsumerRecord<>("changes", 3, 17, null, new byte[] {1});
        record.headers().add(HeaderNames.SEALED_WITH, new byte[] {1});

        ProducerRecord<byte[], byte[]> letter =
                DeadLetterHandler.of("letters", record, new SerializationException("has no key"), SecretKeys.NONE);

        assertThat(letter.headers().lastHeader(HeaderNames.SEALED_WITH)).isNull();
    }

    private static ProducerRecord<byte[], byte[]> letterOf(SecretKeys keys, byte[] value) {
        DeadLetterHandler handler = new DeadLetterHandler();
        InstalledKeys installed = () -> keys;
        handler.configure(Map.of(
                StreamsConfig.ERRORS_DEAD_LETTER_QUEUE_TOPIC_NAME_CONFIG,
                "letters",
                DeadLetterHandler.KEYS,
                installed));
        return handler.handleError(
                        null,
                        new ConsumerRecord<>("changes", 3, 17, null, value),
                        new SerializationException("has no key"))
                .deadLetterQueueRecords()
                .get(0);
    }

    private static String header(ProducerRecord<byte[], byte[]> letter, String name) {
        return new String(letter.headers().lastHeader(name).value(), UTF_8);
    }
}
