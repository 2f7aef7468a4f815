package dev.strake.server.metrics;

import java.time.Duration;
import java.util.Optional;
import org.apache.kafka.streams.KafkaStreams;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs a warning when no broker answers, and another when one answers again; so does the alert StrakeKafkaSilent.
 * Kafka's own warnings are switched off, because they also appear at each orderly stop.
 */
final class BrokerSilence {

    private static final Logger LOG = LoggerFactory.getLogger(BrokerSilence.class);

    /** A consumer receives a response at least every few seconds, even if there is nothing to read. */
    private static final Duration LONGEST = Duration.ofSeconds(60);

    private double received = -1;
    private long since;
    private boolean isReported;

    /** Checks what the consumers of a pipeline received. Skips rebalances, during which threads may wait for long. */
    void check(KafkaStreams streams, long millis) {
        try {
            if (streams.state() == KafkaStreams.State.RUNNING) {
                check(received(streams), millis).ifPresent(LOG::warn);
            } else {
                received = -1;
            }
        } catch (RuntimeException e) { // it would end the schedule
            LOG.warn("Whether Kafka answers could not be checked", e);
        }
    }

    private static double received(KafkaStreams streams) {
        return streams.metrics().entrySet().stream()
                .filter(each -> each.getKey().name().equals("incoming-byte-total")
                        && each.getKey().group().equals("consumer-metrics"))
                .mapToDouble(each -> ((Number) each.getValue().metricValue()).doubleValue())
                .sum();
    }

    /** Returns the warning to log, if one is due. */
    Optional<String> check(double now, long millis) {
        long silence = (millis - since) / 1_000;
        if (now != received) {
            boolean wasReported = isReported;
            received = now;
            since = millis;
            isReported = false;
            return wasReported ? Optional.of("Kafka answers again, after %d s".formatted(silence)) : Optional.empty();
        }
        if (isReported || silence < LONGEST.toSeconds()) {
            return Optional.empty();
        }
        isReported = true;
        return Optional.of("Kafka has not answered for %d s: changes wait until it does".formatted(silence));
    }
}
