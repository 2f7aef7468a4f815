package dev.strake.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LogOfTheProgramTest {

    private final LoggerContext context = new LoggerContext();

    @BeforeEach
    void configure() throws Exception {
        JoranConfigurator configurator = new JoranConfigurator();
        configurator.setContext(context);
        configurator.doConfigure(Strake.class.getResource("/logback.xml"));
    }

    @Test
    void shouldNotBeginWithAStackTraceForAFileOfKeysThatIsNotThere() {
        assertThat(context.getLogger("org.apache.kafka.common.security.ssl.DefaultSslEngineFactory")
                        .isErrorEnabled())
                .isFalse();
    }
}
