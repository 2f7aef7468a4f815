package dev.strake.cli.option;

import dev.strake.cli.output.Lower;

/** The languages in which documents are printed. */
public enum DocumentLanguage {
    YAML,
    JSON;

    @Override
    public String toString() {
        return Lower.name(this);
    }
}
