package dev.strake.server.settings;

/**
 * A setting in force, fit to be shown to anybody.
 *
 * @param value as text, with *** in place of a secret
 * @param origin where it was given, in words for people
 */
public record Effective(String name, String value, String origin) {}
