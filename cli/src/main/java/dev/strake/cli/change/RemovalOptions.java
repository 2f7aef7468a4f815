package dev.strake.cli.change;

import dev.strake.cli.terminal.Terminal;
import dev.strake.client.NewChange;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.serdes.change.RemovalLimit;
import dev.strake.serdes.outcome.Outcome;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/**
 * How many documents a change may remove. The change carries the limit, and the pipeline rejects a change that would
 * remove more. So no other change can intervene between the check and the change.
 */
public final class RemovalOptions {

    @Option(names = "--yes", description = "Remove documents without asking, however many.")
    private boolean yes;

    @Option(
            names = "--max-removals",
            paramLabel = "N|N%",
            description =
                    "How many documents the change may remove: a number, a percentage of the bucket (of the workspace "
                            + "for a rollback), or the larger of both (10,10%%). Default for a whole bucket and a "
                            + "rollback: a third or one document, and never all. Beyond that, strake asks on a "
                            + "terminal; elsewhere the change is rejected.")
    private Optional<RemovalLimit> limit = Optional.empty();

    /**
     * Adds the limit to a change.
     *
     * @param isMeantEmpty whether the user permits that no document remains
     */
    NewChange limiting(NewChange change, boolean isMeantEmpty) {
        RemovalLimit most = yes || (isMeantEmpty && limit.isEmpty())
                ? RemovalLimit.NONE
                : limit.orElse(RemovalLimit.of(change.type()));
        return change.with(change.terms().removing(most), change.note());
    }

    /** Returns the problem that a change would remove too many documents. */
    static Optional<Problem> tooMany(List<Problem> problems) {
        return problems.stream()
                .filter(problem -> problem.code() == ProblemCode.TOO_MANY_REMOVALS)
                .findFirst();
    }

    /** Whether a change was rejected because it would remove too many documents, and the user confirms the removal. */
    static boolean areConfirmed(Outcome outcome, Terminal terminal) {
        Optional<Problem> tooMany = tooMany(outcome.problems());
        if (tooMany.isEmpty() || !terminal.canAsk()) {
            return false;
        }
        String message = tooMany.get().message();
        terminal.say(Character.toUpperCase(message.charAt(0)) + message.substring(1) + ".");
        terminal.say("Type yes to remove them:");
        return terminal.answer().equals("yes");
    }
}
