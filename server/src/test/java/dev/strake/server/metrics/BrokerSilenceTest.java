package dev.strake.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

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
}
