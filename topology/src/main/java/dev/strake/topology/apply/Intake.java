package dev.strake.topology.apply;

import dev.strake.serdes.text.Limits;
import java.time.Duration;

/**
 * Which changes are accepted.
 *
 * @param limits limits on the size of changes and documents
 * @param incompleteAfter how long a change may wait for its parts
 * @param forgetChangesAfter how long the id of a change is remembered
 */
public record Intake(Limits limits, Duration incompleteAfter, Duration forgetChangesAfter) {}
