package dev.strake.cli.change;

import dev.strake.cli.files.FileDocuments;
import dev.strake.cli.output.JsonOutput;
import dev.strake.cli.output.OutcomeOutput;
import dev.strake.cli.terminal.ExitCode;
import dev.strake.cli.terminal.Terminal;
import dev.strake.client.NewChange;
import dev.strake.engine.problem.ProblemCause;
import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.outcome.OutcomeStatus;
import java.util.List;
import java.util.Optional;

/**
 * Reports a published change and its outcome.
 *
 * @param files the files of the change, for locations in messages
 * @param sentences replace the figures for a change that concerns no document
 */
record PublishReport(FileDocuments files, Optional<Sentences> sentences, boolean isJson, Terminal terminal) {

    /**
     * The sentences about a change.
     *
     * @param asked printed if the command does not wait for the outcome
     * @param done printed after the outcome
     */
    record Sentences(String asked, String done) {}

    static int exitCode(Outcome outcome) {
        return switch (outcome.status()) {
            case RENDERED, PENDING, PLANNED -> ExitCode.FINE;
            case UNCHANGED, DUPLICATE -> outcome.problems().isEmpty() ? ExitCode.FINE : ExitCode.DIFFERENT_OR_INVALID;
            case REJECTED, FAILED -> ExitCode.DIFFERENT_OR_INVALID;
            case PARTIAL -> ExitCode.RENDER_PROBLEMS;
        };
    }

    /** Reports a change without its outcome. As text, only the id goes to stdout, for programs. */
    void published(NewChange change, boolean isOverHttp) {
        if (isJson) {
            JsonOutput.printLine(
                    terminal.out(),
                    MapValue.builder()
                            .put("workspace", change.workspace())
                            .put("changeId", change.id())
                            .put("parts", change.parts().size())
                            .build());
        } else if (sentences.isPresent()) {
            terminal.print("%s Published as change %s; --wait waits for it."
                    .formatted(sentences.get().asked(), change.id()));
        } else {
            terminal.out().println(change.id());
            terminal.say("This is the id of the published change. To see its outcome, publish with --wait, or "
                    + (isOverHttp ? "request:" : "run:"));
            terminal.sayCommand((isOverHttp ? "  GET /workspaces/%s/changes/%s" : "  strake get outcomes -w %s %s")
                    .formatted(change.workspace(), change.id()));
        }
    }

    /** Reports the outcome of a part. */
    void pending(Outcome outcome) {
        if (isJson) {
            JsonOutput.printLine(terminal.out(), OutcomeJson.tree(outcome));
        }
    }

    /**
     * Reports the outcome of a change.
     *
     * @param published a line for each of the first rendered documents that the change published or removed
     */
    void outcome(Outcome outcome, List<String> published) {
        if (isJson) {
            JsonOutput.printLine(terminal.out(), OutcomeJson.tree(outcome));
            return;
        }
        if (sentences.isPresent() && exitCode(outcome) == ExitCode.FINE) {
            terminal.print(sentences.get().done());
        } else {
            new OutcomeOutput(terminal).print(outcome, published);
        }
        boolean changedNothing =
                outcome.status() == OutcomeStatus.UNCHANGED || outcome.status() == OutcomeStatus.DUPLICATE;
        if (changedNothing && !outcome.problems().isEmpty()) {
            terminal.say("Nothing changed, and the head still has its problems.");
        }
        boolean isCut = outcome.problems().size() >= Outcome.MOST_PROBLEMS;
        for (ProblemCause cause : ProblemCause.of(outcome.problems())) {
            terminal.say(files.located(cause.problem()).describe());
            cause.describeWaiting(isCut).ifPresent(waiting -> terminal.say("  " + waiting));
        }
        if (isCut) {
            terminal.say("An outcome lists %d problems at most. 'strake get problems -w %s' lists all."
                    .formatted(Outcome.MOST_PROBLEMS, outcome.workspace()));
        }
        outcome.warnings()
                .forEach(problem ->
                        terminal.say("warning: " + files.located(problem).describe()));
    }
}
