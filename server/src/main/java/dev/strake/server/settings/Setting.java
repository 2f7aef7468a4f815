package dev.strake.server.settings;

import dev.strake.client.MisconfiguredException;
import java.util.Locale;

/**
 * Something that can be set: the one place where its name, its default and its range are said.
 *
 * @param name as in a file of settings, such as {@code strake.http.port}
 * @param kind of its values
 * @param defaultValue the value where none is given, as text; empty for nothing
 * @param effect what it does, in a sentence
 * @param note what happens beyond the value, or what else one has to know; empty for nothing
 * @param isOption whether it has an option of its own beside {@code --set}
 */
public record Setting<T>(
        String name, SettingType<T> kind, String defaultValue, String effect, String note, boolean isOption) {

    static final String PREFIX = "strake.";

    /** The option of the command line, such as {@code --http-port}. */
    public String option() {
        return "--" + name.substring(PREFIX.length()).replace('.', '-');
    }

    /** Whether it is either on or off, so that its option takes no value. */
    public boolean isSwitch() {
        return defaultValue.equals("false");
    }

    /** The variable of the environment, such as {@code STRAKE_HTTP_PORT}. */
    public String variable() {
        return name.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
    }

    /**
     * A value from its text.
     *
     * @param origin where the text stands, for the message
     * @throws MisconfiguredException if the text is not of the kind
     */
    T read(String text, String origin) {
        try {
            return kind.read(text.trim());
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new MisconfiguredException(
                    "%s cannot be '%s' (%s): it has to be %s.".formatted(name, text, origin, kind.range()), e);
        }
    }
}
