package dev.strake.server.health;

/**
 * What somebody who asks whether Strake is ready wants to know besides.
 *
 * @param recordsToRestore how many records of changelogs are left to read
 * @param problems how many are open
 * @param stalenessSeconds how much older than the newest change what consumers have is, at most
 */
public record Details(long recordsToRestore, long problems, double stalenessSeconds) {}
