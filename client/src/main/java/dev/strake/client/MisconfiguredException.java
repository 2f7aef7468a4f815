package dev.strake.client;

/**
 * The cluster answers, and its topics or its limits are not what they have to be. Somebody has to change that: another
 * start ends the same way. The message says what is wrong and the command or the setting that mends it.
 */
public final class MisconfiguredException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public MisconfiguredException(String message) {
        super(message);
    }

    public MisconfiguredException(String message, Throwable cause) {
        super(message, cause);
    }
}
