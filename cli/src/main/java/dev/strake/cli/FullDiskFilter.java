package dev.strake.cli;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;

/** Drops Kafka's many log entries about a full disk, each with a stack trace. The command reports a full disk once. */
public final class FullDiskFilter extends Filter<ILoggingEvent> {

    private static final String FULL = "No space left on device";

    /** The broker's follow-up errors contain only this. Their cause is logged, too, unless it is a full disk. */
    private static final String CONSEQUENCE = "Disk error when trying to access log file on the disk";

    /** Causes may form a cycle. */
    private static final int DEEPEST_CAUSE = 20;

    @Override
    public FilterReply decide(ILoggingEvent event) {
        boolean isOfKafka = event.getLoggerName().matches("(org\\.apache\\.)?kafka\\..*");
        return isOfKafka && tellsOfIt(event) ? FilterReply.DENY : FilterReply.NEUTRAL;
    }

    private static boolean tellsOfIt(ILoggingEvent event) {
        if (isOfIt(event.getFormattedMessage())) {
            return true;
        }
        IThrowableProxy cause = event.getThrowableProxy();
        for (int i = 0; i < DEEPEST_CAUSE && cause != null; i++, cause = cause.getCause()) {
            if (cause.getMessage() != null && isOfIt(cause.getMessage())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOfIt(String text) {
        return text.contains(FULL) || text.contains(CONSEQUENCE);
    }
}
