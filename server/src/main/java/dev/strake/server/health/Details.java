package dev.strake.server.health;

import java.util.Optional;

/**
 * What somebody who asks whether Strake is ready wants to know besides.
 *
 * @param restoring which store is being restored, how far it is, and how long it will take
 * @param problems how many are open
 * @param stalenessSeconds how much older than the newest change what consumers have is, at most
 */
public record Details(Optional<String> restoring, long problems, double stalenessSeconds) {}
