package dev.strake.serdes.secret;

/** What was encrypted does not open although its key is there: it was changed, or it was made for another place. */
public final class DoesNotOpenException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public DoesNotOpenException() {
        super("it was changed, or encrypted for another place");
    }
}
