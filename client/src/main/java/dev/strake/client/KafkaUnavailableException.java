package dev.strake.client;

/**
 * Kafka or the service cannot be used now: it does not answer in time, rejects the credentials, or denies permission. A
 * retry may succeed. The message names the problem and its remedy.
 */
public final class KafkaUnavailableException extends RuntimeException {

    public KafkaUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }

    public KafkaUnavailableException(String message) {
        super(message);
    }
}
