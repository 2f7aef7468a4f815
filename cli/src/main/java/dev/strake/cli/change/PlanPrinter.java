package dev.strake.cli.change;

import dev.strake.cli.files.FileDocuments;
import dev.strake.cli.option.KafkaOptions;
import dev.strake.cli.option.UrlOption;
import dev.strake.cli.output.Counted;
import dev.strake.cli.output.PreviewOutput;
import dev.strake.cli.terminal.ExitCode;
import dev.strake.cli.terminal.Terminal;
import dev.strake.client.ChangePublisher;
import dev.strake.client.Cluster;
import dev.strake.client.NewChange;
import dev.strake.client.StateClient.NotFoundException;
import dev.strake.client.StateClient.TooLargeException;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.change.RemovalLimit;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.outcome.ProblemJson;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Prints what a change would do, and turns it into an exit code.
 *
 * @param failOver the maximum number of rendered documents that may differ
 */
public record PlanPrinter(Terminal terminal, PreviewOutput.Format format, Optional<Integer> failOver) {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Results that should not be published, whether their problems are new or old. */
    private static final Set<String> NOT_RENDERED = Set.of("rejected", "failed", "partial");

    /**
     * Requests a plan from a running Strake, prints it, and returns the exit code. Sends a change that is too large for
     * HTTP through the stream, as a dry run.
     *
     * @param against the revision to plan against; the head if empty
     * @param cleartextSecrets whether to show secrets in clear text
     */
    int ask(
            UrlOption url,
            KafkaOptions kafka,
            ChangeArguments.Read read,
            Optional<String> against,
            boolean cleartextSecrets)
            throws NotFoundException, InterruptedException {
        MapValue plan;
        try {
            plan = allowed(read.change(), change -> url.client(PATIENCE).plan(change, against, cleartextSecrets));
        } catch (TooLargeException e) {
            if (against.isPresent()) {
                terminal.say(
                        "strake: The change is too large for HTTP, which --against needs. Plan it against the head, "
                                + "or split it into several changes.");
                return ExitCode.USAGE;
            }
            terminal.say(
                    "The change is too large for HTTP, so it is sent through Kafka as a dry run. The plan shows where "
                            + "documents would differ, but no values.");
            plan = allowed(read.change(), change -> inStream(change, kafka));
        }
        return print(located(plan, read.files()));
    }

    /** Plans a change. */
    private interface Trial {

        MapValue of(NewChange change) throws NotFoundException, InterruptedException;
    }

    /* If only the limit of removals rejects a change, plans it without the limit, and adds the objection. */
    private static MapValue allowed(NewChange change, Trial trial) throws NotFoundException, InterruptedException {
        MapValue plan = trial.of(change);
        Optional<Problem> objection = change.terms().removals().isGuard()
                        && plan.text("wouldBe").equals("rejected")
                ? RemovalOptions.tooMany(
                        plan.items("problems").stream().map(ProblemJson::read).toList())
                : Optional.empty();
        if (objection.isEmpty()) {
            return plan;
        }
        return trial.of(change.with(change.terms().removing(RemovalLimit.NONE), change.note()))
                .with("removals", objection.get().message());
    }

    /* The outcome names the places that would differ, but contains no values. */
    private MapValue inStream(NewChange asked, KafkaOptions kafka) {
        NewChange change = asked.with(asked.terms().asDryRun(), asked.note());
        Cluster cluster = kafka.settings(System.getenv()).cluster();
        try (ChangePublisher publisher =
                PublishOptions.open(cluster, kafka.topicPrefix(), change.workspace(), PATIENCE, terminal)) {
            publisher.publish(change);
            return OutcomeJson.tree(publisher.await(change.id(), pending -> {}))
                    .without("changeId")
                    .without("input")
                    .without("time");
        }
    }

    /** Adds to the problems of a plan their locations in the files of the change. */
    static MapValue located(MapValue plan, FileDocuments files) {
        MapValue result = plan;
        for (String member : List.of("problems", "appearing", "warnings")) {
            List<Value> problems = plan.items(member).stream()
                    .map(each -> locatedProblem((MapValue) each, files))
                    .toList();
            result = plan.has(member) ? result.with(member, ListValue.of(problems)) : result;
        }
        return result;
    }

    private static Value locatedProblem(MapValue problem, FileDocuments files) {
        return problem.updatedWith(ProblemJson.write(files.located(ProblemJson.read(problem))));
    }

    /** Prints a plan in the form of {@code PreviewJson}, and returns the exit code. */
    int print(MapValue plan) {
        new PreviewOutput(terminal).print(plan, format);
        long differing = PreviewOutput.differing(plan);
        if (failOver.isPresent() && differing > failOver.get()) {
            terminal.say("strake: %s would change, more than %d."
                    .formatted(Counted.of(differing, "rendered document"), failOver.get()));
            return ExitCode.RENDER_PROBLEMS;
        }
        if (NOT_RENDERED.contains(plan.text("wouldBe"))
                || !PreviewOutput.staying(plan).isZero()) {
            return ExitCode.RENDER_PROBLEMS;
        }
        return differing == 0
                        && plan.items("waiting").isEmpty()
                        && plan.items("vanishing").isEmpty()
                ? ExitCode.FINE
                : ExitCode.DIFFERENT_OR_INVALID;
    }
}
