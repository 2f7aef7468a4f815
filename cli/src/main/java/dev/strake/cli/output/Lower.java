package dev.strake.cli.output;

import java.util.Locale;

/** The names of option values in help, completion and messages, as users type them. */
public final class Lower {

    private Lower() {}

    public static String name(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
