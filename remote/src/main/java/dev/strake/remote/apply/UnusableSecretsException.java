package dev.strake.remote.apply;

import java.io.IOException;

/** Secret documents arrived masked, as references or encrypted, so they cannot be applied. */
public final class UnusableSecretsException extends IOException {

    UnusableSecretsException(String message) {
        super(message);
    }

    UnusableSecretsException(String message, Throwable cause) {
        super(message, cause);
    }
}
