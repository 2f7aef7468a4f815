package dev.strake.cli;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;

/** Leaves out what each part of Kafka logs of a full disk, with a stack trace each: the command says it once, in words. */
public final class FullDiskFilter extends Filter<ILoggingEvent> {

    private static final String FULL = "No space left on device";

    /** Follow-up errors of the broker say only this. Their cause has a line of its own, which stays if it is not a full disk. */
    private static final String CONSEQUENCE = "Disk error when trying to access log file on the disk";

    /** Causes may be circular. */
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
