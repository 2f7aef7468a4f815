package dev.strake.cli.option;

import picocli.CommandLine.Option;

/** The form in which a command prints its results. */
public final class ListFormatOption {

    @Option(
            names = {"-o", "--output"},
            defaultValue = "table",
            description = "table, yaml or json. Default: ${DEFAULT-VALUE}")
    private ListFormat value;

    public ListFormat value() {
        return value;
    }
}
