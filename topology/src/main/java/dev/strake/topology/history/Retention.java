package dev.strake.topology.history;

import java.time.Duration;

/**
 * Which revisions of a workspace are kept beside the last one and the tagged ones.
 *
 * @param revisions how many of the newest; 0 for any number
 * @param age how long after a newer one took its place; zero for ever
 */
public record Retention(long revisions, Duration age) {

    public static final Retention EVERYTHING = new Retention(0, Duration.ZERO);

    /**
     * @throws IllegalArgumentException if one of the two is negative
     */
    public Retention {
        if (revisions < 0 || age.isNegative()) {
            throw new IllegalArgumentException("neither revisions nor age can be negative");
        }
    }
}
