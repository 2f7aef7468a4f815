package dev.strake.cli.command;

import dev.strake.cli.output.Lower;

/** The languages in which documents are printed. */
enum DocumentFormat {
    YAML,
    JSON;

    @Override
    public String toString() {
        return Lower.name(this);
    }
}
