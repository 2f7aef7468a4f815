package dev.strake.service.command;

/** The forms in which lists are printed. */
enum ListFormat {
    TABLE,
    YAML,
    JSON
}
