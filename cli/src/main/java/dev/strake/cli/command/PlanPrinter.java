package dev.strake.cli.command;

import dev.strake.cli.files.FileDocuments;
import dev.strake.cli.output.PreviewOutput;
import dev.strake.client.StateClient.NotFoundException;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.serdes.outcome.ProblemJson;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Prints what a change would do, and turns it into an exit code.
 *
 * @param failOver more rendered documents than this may not differ
 */
record PlanPrinter(Terminal terminal, PreviewOutput.Format format, Optional<Integer> failOver) {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /**
     * Asks a running Strake, prints its answer, and returns the exit code.
     *
     * @param against the revision to try the change on; the head if empty
     */
    int ask(UrlOption url, ChangeArguments.Read read, Optional<String> against) throws InterruptedException {
        terminal.progress("planning ...");
        MapValue plan;
        try {
            plan = url.client(PATIENCE).plan(read.change(), against);
        } catch (NotFoundException e) {
            terminal.say(e.getMessage());
            return ExitCode.USAGE;
        } finally {
            terminal.clearProgress();
        }
        return print(located(plan, read.files()));
    }

    /* Places are known where the change was read from files. */
    private static MapValue located(MapValue plan, FileDocuments files) {
        MapValue result = plan;
        for (String member : List.of("problems", "appearing", "warnings")) {
            List<Problem> problems =
                    problems(plan, member).stream().map(files::located).toList();
            result = result.with(member, ProblemJson.write(problems));
        }
        return result;
    }

    private static List<Problem> problems(MapValue plan, String member) {
        return plan.get(member) instanceof ListValue list
                ? list.items().stream().map(ProblemJson::read).toList()
                : List.of();
    }

    /** Prints a plan, given as {@code PreviewJson} makes it, and returns the exit code. */
    int print(MapValue plan) {
        new PreviewOutput(terminal).print(plan, format);
        terminal.out().flush();
        int differing = items(plan, "differences");
        if (failOver.isPresent() && differing > failOver.get()) {
            terminal.say(
                    "strake: %d rendered documents would change, more than %d.".formatted(differing, failOver.get()));
            return ExitCode.RENDER_PROBLEMS;
        }
        if (items(plan, "appearing") > 0 || new Text("rejected").equals(plan.get("wouldBe"))) {
            return ExitCode.RENDER_PROBLEMS;
        }
        return differing == 0 && items(plan, "vanishing") == 0 ? ExitCode.FINE : ExitCode.DIFFERENT_OR_INVALID;
    }

    private static int items(MapValue plan, String member) {
        return plan.get(member) instanceof ListValue list ? list.size() : 0;
    }
}
