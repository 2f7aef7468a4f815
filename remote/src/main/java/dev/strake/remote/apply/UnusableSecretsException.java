package dev.strake.remote.apply;

import java.io.IOException;

/** Secret documents came without their secrets, so they cannot be applied: what would be written is of no use to anybody. */
public final class UnusableSecretsException extends IOException {

    private static final long serialVersionUID = 1L;

    UnusableSecretsException(String message) {
        super(message);
    }

    UnusableSecretsException(String message, Throwable cause) {
        super(message, cause);
    }
}
