package dev.strake.topology.history;

import java.time.Duration;

/**
 * The revisions of a workspace that are kept in addition to the last one and tagged ones.
 *
 * @param revisions the number of newest revisions to keep; 0 for no limit
 * @param age how long to keep a revision after a newer one replaced it; zero for ever
 */
public record Retention(long revisions, Duration age) {

    /**
     * @throws IllegalArgumentException if an argument is negative
     */
    public Retention {
        if (revisions < 0 || age.isNegative()) {
            throw new IllegalArgumentException("neither revisions nor age can be negative");
        }
    }
}
