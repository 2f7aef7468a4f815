package dev.strake.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogOfTheProgramTest {

    private final LoggerContext context = new LoggerContext();

    @BeforeEach
    void configure() throws Exception {
        JoranConfigurator configurator = new JoranConfigurator();
        configurator.setContext(context);
        configurator.doConfigure(Strake.class.getResource("/logback.xml"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "org.eclipse.jetty.util.HostPort",
                "org.eclipse.jetty.http.HttpParser",
                "org.eclipse.jetty.server.Response"
            })
    void shouldContainNothingOfAMalformedRequest(String logger) {
        context.getLogger("ROOT").setLevel(Level.DEBUG); // as an operator may set it with STRAKE_KAFKA_LOG
        assertThat(context.getLogger(logger).isWarnEnabled()).isFalse();
    }

    @Test
    void shouldReportAMissingKeyFileWithoutAStackTrace() {
        assertThat(context.getLogger("org.apache.kafka.common.security.ssl.DefaultSslEngineFactory")
                        .isErrorEnabled())
                .isFalse();
    }

    @Test
    void shouldNotAdviseToSkipChangesWhenThePipelineStops() {
        assertThat(context.getLogger("org.apache.kafka.streams.processor.internals.ProcessorNode")
                        .isErrorEnabled())
                .isFalse();
    }

    /* Kafka moves classes between packages. A level for a class that no longer exists has no effect. */
    @Test
    void shouldSetLevelsOfClassesThatExist() {
        List<String> classes = context.getLoggerList().stream()
                .filter(logger -> logger.getLevel() != null && !logger.getName().equals(Logger.ROOT_LOGGER_NAME))
                .map(Logger::getName)
                .filter(name -> Character.isUpperCase(name.charAt(name.lastIndexOf('.') + 1)))
                .toList();
        assertThat(classes)
                .hasSizeGreaterThan(10)
                .allSatisfy(name -> Class.forName(name, false, getClass().getClassLoader()));
    }
}
