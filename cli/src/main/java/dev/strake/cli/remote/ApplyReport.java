package dev.strake.cli.remote;

import dev.strake.cli.terminal.ExitCode;
import dev.strake.cli.terminal.Terminal;
import dev.strake.remote.apply.Applied;
import dev.strake.remote.apply.Applier;
import dev.strake.remote.apply.FileDiff;
import dev.strake.remote.apply.TargetChange;
import java.time.Duration;
import java.util.Set;

/** Prints what an applier does or would do, with remarks for its operator. */
record ApplyReport(Terminal terminal, String workspace) implements Applier.Listener {

    private static final Set<TargetChange.Kind> NOT_DONE = Set.of(
            TargetChange.Kind.FOREIGN, TargetChange.Kind.DRIFTED, TargetChange.Kind.HELD, TargetChange.Kind.FAILED);

    /** Prints what would change. Returns the exit code. */
    int planned(Applied applied) {
        applied.changes().forEach(change -> terminal.out().print(FileDiff.of(change)));
        terminal.say(applied.summary());
        remark(applied);
        return applied.changes().size() == applied.count(TargetChange.Kind.OMITTED)
                ? exitCode(applied)
                : ExitCode.DIFFERENT_OR_INVALID;
    }

    /** Prints the final result. Returns the exit code. */
    int done(Applied applied) {
        terminal.print(applied.summary());
        remark(applied);
        return exitCode(applied);
    }

    @Override
    public void applied(Applied applied) {
        terminal.print(applied.summary());
        terminal.out().flush();
        remark(applied);
    }

    @Override
    public void failed(Exception reason, Duration pause) {
        String message = reason.getMessage() == null ? reason.getClass().getSimpleName() : reason.getMessage();
        terminal.say("strake: %s Trying again in %d s.".formatted(sentence(message), pause.toSeconds()));
    }

    private static int exitCode(Applied applied) {
        boolean isWhole =
                applied.status() != Applied.Status.HELD && NOT_DONE.stream().allMatch(kind -> applied.count(kind) == 0);
        if (isOfNothing(applied) || !isWhole) {
            return ExitCode.DIFFERENT_OR_INVALID;
        }
        return applied.count(TargetChange.Kind.OMITTED) > 0 ? ExitCode.INCOMPLETE : ExitCode.FINE;
    }

    private static boolean isOfNothing(Applied applied) {
        return applied.revision() == 0 && applied.changes().isEmpty() && applied.unchanged() == 0;
    }

    private void remark(Applied applied) {
        if (isOfNothing(applied)) {
            terminal.say("strake: workspace %s has no rendered documents yet. Check its name.".formatted(workspace));
        }
        if (!applied.remark().isEmpty()) {
            terminal.say("strake: " + applied.remark() + ".");
        }
        for (TargetChange change : applied.changes()) {
            switch (change.kind()) {
                case FOREIGN -> terminal.say("strake: not ours, and left as it is: " + change.path());
                case RESTORE -> terminal.say("strake: changed by others, and restored: " + change.path());
                case DRIFTED -> terminal.say("strake: changed by others, and left as it is: " + change.path());
                case HELD, FAILED, OMITTED -> terminal.say("strake: %s: %s.".formatted(change.path(), change.reason()));
                case CREATE, REPLACE, REMOVE -> {
                    // the summary counts them
                }
            }
        }
    }

    /** Returns a message with a full stop. */
    static String sentence(String message) {
        return message.endsWith(".") ? message : message + ".";
    }
}
