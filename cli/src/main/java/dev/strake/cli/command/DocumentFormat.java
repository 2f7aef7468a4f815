package dev.strake.cli.command;

/** The languages in which documents are printed. */
enum DocumentFormat {
    YAML,
    JSON
}
