package dev.strake.service.command;

/** The languages in which documents are printed. */
enum DocumentFormat {
    YAML,
    JSON
}
