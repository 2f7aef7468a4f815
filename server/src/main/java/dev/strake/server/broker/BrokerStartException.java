package dev.strake.server.broker;

/** The embedded broker cannot start; the message says why and what to do. */
public final class BrokerStartException extends RuntimeException {

    BrokerStartException(String message) {
        super(message);
    }

    BrokerStartException(String message, Throwable cause) {
        super(message, cause);
    }
}
