package dev.strake.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.server.CapturedLog;
import dev.strake.server.pipeline.ClosedStreams;
import java.util.Map;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.streams.KafkaStreams;
import org.junit.jupiter.api.Test;

class BrokerSilenceTest {

    private final BrokerSilence silence = new BrokerSilence();

    @Test
    void shouldWarnOnceWhenNoBrokerAnswersAndOnceWhenOneAnswersAgain() {
        assertThat(silence.check(100, 1_000)).isEmpty();
        assertThat(silence.check(200, 11_000)).isEmpty();
        assertThat(silence.check(200, 70_000)).isEmpty();
        assertThat(silence.check(200, 71_000)).hasValue("Kafka has not answered for 60 s: changes wait until it does");
        assertThat(silence.check(200, 200_000)).isEmpty();
        assertThat(silence.check(300, 211_000)).hasValue("Kafka answers again, after 200 s");
        assertThat(silence.check(400, 221_000)).isEmpty();
    }

    @Test
    void shouldBeCheckedAgainWhenACheckFailed() {
        try (KafkaStreams broken = new BrokenMetrics();
                CapturedLog log = CapturedLog.of(BrokerSilence.class)) {
            silence.check(broken, 1_000); // an exception would end its schedule
            assertThat(log.lines()).singleElement().asString().contains("cannot be read");
        }
    }

    private static final class BrokenMetrics extends ClosedStreams {

        @Override
        public State state() {
            return State.RUNNING;
        }

        @Override
        public Map<MetricName, ? extends Metric> metrics() {
            throw new IllegalStateException("cannot be read");
        }
    }
}
