package dev.strake.cli.command;

import picocli.CommandLine.Option;

/** The form in which a command prints what it found. */
final class ListFormatOption {

    @Option(
            names = {"-o", "--output"},
            defaultValue = "table",
            description = "table, yaml or json. Default: ${DEFAULT-VALUE}")
    private ListFormat value;

    ListFormat value() {
        return value;
    }
}
