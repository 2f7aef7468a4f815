package dev.strake.testing;

import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;
import org.slf4j.LoggerFactory;

/**
 * Initializes logging before the first tests, several of which start concurrently. During initialization, other
 * threads get substitute loggers, to which no appender can be added.
 */
public final class LogBeforeTests implements LauncherSessionListener {

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        LoggerFactory.getILoggerFactory();
    }
}
