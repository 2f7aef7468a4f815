package dev.strake.testing;

import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;
import org.slf4j.LoggerFactory;

/**
 * Has the log set up before the first tests, of which several begin at the same time: while one thread sets it up, others get
 * substitutes, to which no appender can be added.
 */
public final class LogBeforeTests implements LauncherSessionListener {

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        LoggerFactory.getILoggerFactory();
    }
}
