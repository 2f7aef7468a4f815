package dev.strake.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.KafkaThread;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

class EndOnErrorTest {

    private final List<String> ends = new ArrayList<>();
    private final EndOnError watch = new EndOnError(ends::add);
    private final LoggerContext context = new LoggerContext();

    private Logger logger(String name) {
        if (context.getTurboFilterList().isEmpty()) {
            context.addTurboFilter(watch);
            context.getLogger("ROOT").setLevel(Level.OFF);
        }
        return context.getLogger(name);
    }

    @Test
    void shouldEndTheProcessWhereAnErrorEndsAThreadOfKafka() throws Exception {
        LoggerContext shared = (LoggerContext) LoggerFactory.getILoggerFactory();
        shared.addTurboFilter(watch);
        try {
            KafkaThread thread = KafkaThread.daemon("network", () -> {
                throw new NoSuchMethodError("a secret");
            });
            thread.start();
            thread.join();
        } finally {
            shared.getTurboFilterList().remove(watch);
        }
        assertThat(ends)
                .singleElement()
                .asString()
                .contains("thread network", "NoSuchMethodError", "Nothing was skipped")
                .doesNotContain("secret");
    }

    @Test
    void shouldEndTheProcessWhereAnErrorEndsAThreadThatNobodyLooksAfter() throws Exception {
        Thread thread = new Thread(() -> {
            throw new OutOfMemoryError("Java heap space");
        });
        thread.setUncaughtExceptionHandler(watch);
        thread.start();
        thread.join();
        assertThat(ends).singleElement().asString().contains("OutOfMemoryError (Java heap space) at dev.strake");
    }

    @Test
    void shouldNotEndTheProcessForAnException() {
        watch.uncaughtException(Thread.currentThread(), new IllegalStateException("a secret"));
        logger("org.apache.kafka.common.utils.KafkaThread").error("{}", "x", new IllegalStateException());
        assertThat(ends).isEmpty();
    }

    @Test
    void shouldEndTheProcessWhereSomebodyGoesOnWithoutMemoryAtWhateverLevelThatIsLogged() {
        logger("org.eclipse.jetty.util.thread.QueuedThreadPool")
                .debug("Job failed", new IllegalStateException(new OutOfMemoryError()));
        assertThat(ends).hasSize(1);
    }

    @Test
    void shouldLeaveOtherErrorsToThoseWhoCaughtThem() {
        logger("org.eclipse.jetty.server").warn("handling failed", new StackOverflowError());
        logger("org.apache.kafka.streams.KafkaStreams").error("ended", new OutOfMemoryError());
        logger("org.eclipse.jetty.server").warn("one {} and another {}", 1, 2);
        assertThat(ends).isEmpty();
    }

    @Test
    void shouldBeInTheLogOfTheProgram() throws Exception {
        JoranConfigurator configurator = new JoranConfigurator();
        configurator.setContext(context);
        configurator.doConfigure(EndOnError.class.getResource("/logback.xml"));
        assertThat(context.getTurboFilterList())
                .hasOnlyElementsOfType(EndOnError.class)
                .hasSize(1);
    }
}
