package dev.strake.client;

/**
 * A setting, a topic or a limit of the cluster is not as required. A retry or a restart fails again until the operator
 * corrects it. The message says what is wrong, and which command or setting corrects it.
 */
public final class MisconfiguredException extends RuntimeException {

    public MisconfiguredException(String message) {
        super(message);
    }

    public MisconfiguredException(String message, Throwable cause) {
        super(message, cause);
    }
}
