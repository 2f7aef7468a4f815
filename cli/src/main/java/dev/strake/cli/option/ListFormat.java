package dev.strake.cli.option;

import dev.strake.cli.output.Lower;

/** The forms in which lists are printed. */
public enum ListFormat {
    TABLE,
    YAML,
    JSON;

    @Override
    public String toString() {
        return Lower.name(this);
    }
}
