package dev.strake.client;

/**
 * Kafka cannot be used: it does not answer, does not answer in time, does not let us in, or its topics are not set up as
 * they have to be. The message says which and what to do.
 */
public final class KafkaUnavailableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public KafkaUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }

    public KafkaUnavailableException(String message) {
        super(message);
    }
}
