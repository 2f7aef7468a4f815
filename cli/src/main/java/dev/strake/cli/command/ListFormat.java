package dev.strake.cli.command;

/** The forms in which lists are printed. */
enum ListFormat {
    TABLE,
    YAML,
    JSON
}
