package dev.strake.server.settings;

import dev.strake.client.MisconfiguredException;
import java.util.Locale;

/**
 * A setting: its name, default and range.
 *
 * @param name as in a settings file, for example {@code strake.http.port}
 * @param kind the type of its values
 * @param defaultValue the default, as text; empty for none
 * @param effect what the setting does, in one sentence
 * @param note side effects, or what else an operator has to know; may be empty
 * @param isOption whether there is a separate command line option besides {@code --set}
 */
public record Setting<T>(
        String name, SettingType<T> kind, String defaultValue, String effect, String note, boolean isOption) {

    static final String PREFIX = "strake.";

    /** Returns the command line option, for example {@code --http-port}. */
    public String option() {
        return "--" + name.substring(PREFIX.length()).replace('.', '-');
    }

    /** Whether the setting is a flag, whose option takes no value. */
    public boolean isSwitch() {
        return defaultValue.equals("false");
    }

    /** Returns the environment variable, for example {@code STRAKE_HTTP_PORT}. */
    public String variable() {
        return name.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
    }

    /**
     * Parses a value.
     *
     * @param origin where the text was given, for the message
     * @throws MisconfiguredException if the text is invalid
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
