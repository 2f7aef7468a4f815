package dev.strake.cli.command;

import dev.strake.cli.output.Lower;

/** The forms in which lists are printed. */
enum ListFormat {
    TABLE,
    YAML,
    JSON;

    @Override
    public String toString() {
        return Lower.name(this);
    }
}
