package dev.strake.remote.fetch.resource;

/**
 * A text that may be a secret. It is shown nowhere: who needs it asks for it.
 *
 * @param text the text itself
 */
public record Hidden(String text) {

    @Override
    public String toString() {
        return "(hidden)";
    }
}
