package dev.strake.topology.apply;

import dev.strake.serdes.change.RemovalLimit;
import dev.strake.serdes.text.Limits;
import java.time.Duration;

/**
 * Which changes are accepted.
 *
 * @param limits limits on the size of changes and documents
 * @param incompleteAfter how long a change may wait for its parts
 * @param forgetChangesAfter how long the id of a change is remembered
 * @param tags how much the tags of one revision may take
 * @param removals how many documents may leave a bucket because a change puts the bucket without them
 */
public record Intake(
        Limits limits, Duration incompleteAfter, Duration forgetChangesAfter, Tags tags, RemovalLimit removals) {

    public Intake with(Limits others) {
        return new Intake(others, incompleteAfter, forgetChangesAfter, tags, removals);
    }

    /**
     * Room for the tags of one revision. They are stored together, so a change of one tag costs as much as all of them.
     *
     * @param bytes of their names and data, measured as JSON
     */
    public record Tags(int count, long bytes) {}
}
