package dev.strake.server;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** The lines of a log until it is closed, with the stack traces of exceptions. */
public final class CapturedLog extends AppenderBase<ILoggingEvent> implements AutoCloseable {

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Logger log;
    private final Level before;

    private CapturedLog(String name) {
        log = (Logger) LoggerFactory.getLogger(name);
        before = log.getLevel();
    }

    public static CapturedLog of(String name) {
        CapturedLog captured = new CapturedLog(name);
        captured.start();
        captured.log.setLevel(Level.INFO);
        captured.log.addAppender(captured);
        return captured;
    }

    public static CapturedLog of(Class<?> logger) {
        return of(logger.getName());
    }

    @Override
    protected void append(ILoggingEvent line) {
        lines.add(line.getFormattedMessage()
                + (line.getThrowableProxy() == null ? "" : ThrowableProxyUtil.asString(line.getThrowableProxy())));
    }

    public List<String> lines() {
        return lines;
    }

    @Override
    public void close() {
        log.detachAppender(this);
        log.setLevel(before);
    }
}
