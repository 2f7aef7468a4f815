package dev.strake.server.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.streams.StreamsConfig;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class ObservedDeadLettersTest {

    @Test
    void shouldCountAllAndWriteALineAMinute() {
        AtomicInteger counted = new AtomicInteger();
        ObservedDeadLetters handler = new ObservedDeadLetters();
        handler.configure(Map.of(
                StreamsConfig.ERRORS_DEAD_LETTER_QUEUE_TOPIC_NAME_CONFIG,
                "letters",
                ObservedDeadLetters.OBSERVER,
                new ForwardingObserver(PipelineObserver.NONE) {
                    @Override
                    public void deadLetter() {
                        counted.incrementAndGet();
                    }
                }));
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        Logger log = (Logger) LoggerFactory.getLogger(ObservedDeadLetters.class);
        log.addAppender(lines);
        try {
            for (int offset = 0; offset < 1_000; offset++) {
                handler.handleError(
                        null,
                        new ConsumerRecord<>("changes", 3, offset, null, new byte[] {1}),
                        new SerializationException("has no key"));
            }
        } finally {
            log.detachAppender(lines);
        }

        assertThat(counted).hasValue(1_000);
        assertThat(lines.list).hasSize(1);
        assertThat(lines.list.get(0).getFormattedMessage())
                .isEqualTo("The record at changes-3@0 goes to letters: has no key");
        assertThat(lines.list.get(0).getThrowableProxy()).isNull();
    }
}
