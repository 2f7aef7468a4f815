package dev.strake.checks.chaos;

import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;

/**
 * The state of a workspace just after one of its outcomes.
 *
 * @param revision the expected head
 * @param isRevision whether the change of the outcome made that revision
 * @param place the position of the outcome
 */
record Moment(long revision, boolean isRevision, Outcome outcome, String place) {

    /** Whether the change made a revision with this status. */
    boolean isRevisionThatIs(OutcomeStatus status) {
        return isRevision && outcome.status() == status;
    }

    @Override
    public String toString() {
        return "%s revision %d, outcome at %s".formatted(outcome.workspace(), revision, place);
    }
}
