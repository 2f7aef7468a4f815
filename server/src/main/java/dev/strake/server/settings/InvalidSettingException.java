package dev.strake.server.settings;

/** A setting that is not known, or has a value that it cannot have. The message is fit for whoever set it. */
public final class InvalidSettingException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public InvalidSettingException(String message) {
        super(message);
    }

    InvalidSettingException(String message, Throwable cause) {
        super(message, cause);
    }
}
