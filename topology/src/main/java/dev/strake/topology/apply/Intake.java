package dev.strake.topology.apply;

import dev.strake.serdes.change.RemovalLimit;
import dev.strake.serdes.text.Limits;
import java.time.Duration;

/**
 * Which changes the topology accepts.
 *
 * @param limits limits on the size of changes and documents
 * @param incompleteAfter how long a change may wait for its parts
 * @param forgetChangesAfter how long the id of a change is remembered
 * @param tags the limits for the tags of one revision
 * @param removals how many documents a change that puts a bucket may remove from the bucket
 */
public record Intake(
        Limits limits, Duration incompleteAfter, Duration forgetChangesAfter, Tags tags, RemovalLimit removals) {

    public Intake with(Limits others) {
        return new Intake(others, incompleteAfter, forgetChangesAfter, tags, removals);
    }

    /**
     * Limits for the tags of one revision. They are stored together, so changing one tag costs as much as changing all.
     *
     * @param bytes the size of their names and data, measured as JSON
     */
    public record Tags(int count, long bytes) {}
}
