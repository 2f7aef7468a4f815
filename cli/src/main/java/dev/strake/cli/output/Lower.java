package dev.strake.cli.output;

import java.util.Locale;

/** How the constants of options are written in help, completion and messages: as people type them. */
public final class Lower {

    private Lower() {}

    public static String name(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
