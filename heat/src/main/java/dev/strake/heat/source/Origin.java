package dev.strake.heat.source;

/**
 * Where a value was written.
 *
 * @param file the name of its file
 * @param place the place in it, in the notation of problems
 */
public record Origin(String file, String place) {}
