package dev.strake.checks.chaos;

import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;

/**
 * A moment in the life of a workspace: right behind one of its outcomes.
 *
 * @param revision the head by then, according to the books
 * @param isRevision whether the change that the outcome answers made it
 * @param place where the outcome lies
 */
record Moment(long revision, boolean isRevision, Outcome outcome, String place) {

    /** Whether a revision was made here that ended with this status. */
    boolean isRevisionThatIs(OutcomeStatus status) {
        return isRevision && outcome.status() == status;
    }

    @Override
    public String toString() {
        return "%s revision %d, outcome at %s".formatted(outcome.workspace(), revision, place);
    }
}
