package dev.strake.client;

/**
 * Kafka cannot be used: it does not answer, does not answer in time, does not let us in, or does not permit what is asked.
 * Later it may. The message says which and what to do.
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
