package dev.strake.heat.source;

/**
 * The place where a value is written.
 *
 * @param file the name of its file
 * @param place the place in the file, in the notation of problems
 */
public record Origin(String file, String place) {}
