package dev.strake.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EndToEndTest {

    /* Proves that the harness works; a figure of a run this small means nothing. */
    @Test
    void shouldMeasureEverythingOnASmallRun() throws Exception {
        assertThat(new EndToEnd(200, 40, 100, 50).run())
                .hasSize(13)
                .allSatisfy(result -> assertThat(result.value()).isPositive());
    }
}
