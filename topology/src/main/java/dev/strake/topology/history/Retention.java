package dev.strake.topology.history;

import java.time.Duration;

/**
 * Which revisions of a workspace are kept in addition to the last one and the tagged ones.
 *
 * @param revisions how many of the newest revisions are kept; 0 for no limit
 * @param age how long a revision is kept after a newer one replaced it; zero for ever
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
