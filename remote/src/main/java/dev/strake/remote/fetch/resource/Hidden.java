package dev.strake.remote.fetch.resource;

/**
 * A text that may be secret. {@code toString} hides it; only {@link #text} returns it.
 *
 * @param text the text itself
 */
public record Hidden(String text) {

    @Override
    public String toString() {
        return "(hidden)";
    }
}
