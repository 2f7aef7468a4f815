package dev.strake.cli.command;

import dev.strake.cli.files.FileDocuments;
import dev.strake.cli.output.JsonOutput;
import dev.strake.cli.output.Table;
import dev.strake.client.ChangePublisher;
import dev.strake.client.NewChange;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How a command sends its change, and what it says of the outcome. */
final class Publishing {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(
            names = "--id",
            paramLabel = "ID",
            description = "The id of the change, made up unless given. A second change with the id of one that was "
                    + "applied changes nothing, so it is safe to try again with the same id.")
    private Optional<String> id = Optional.empty();

    @Option(names = "--wait", description = "Wait until the change is rendered, and print its outcome.")
    private boolean wait;

    private int timeout;

    @Option(
            names = {"-o", "--output"},
            defaultValue = "table",
            description = "table or json (one line for each outcome). Default: ${DEFAULT-VALUE}")
    private Format format;

    enum Format {
        TABLE,
        JSON
    }

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "How long to wait for Kafka, and for the outcome. Default: ${DEFAULT-VALUE}")
    void setTimeout(int seconds) {
        if (seconds < 1) {
            throw new ParameterException(command.commandLine(), "--timeout has to be at least 1 second.");
        }
        timeout = seconds;
    }

    String changeId() {
        return id.orElseGet(() -> UUID.randomUUID().toString());
    }

    /**
     * Publishes a change, and waits for its outcome if asked to.
     *
     * @param files what the change was read from, for places in messages
     * @return the exit code
     */
    int publish(NewChange change, FileDocuments files, KafkaOptions kafka, Terminal terminal) {
        terminal.progress("publishing ...");
        Duration patience = Duration.ofSeconds(timeout);
        try (ChangePublisher publisher = new ChangePublisher(
                kafka.settings(System.getenv()).cluster(), kafka.topicPrefix(), change.workspace(), patience)) {
            publisher.publish(change);
            if (!wait) {
                terminal.clearProgress();
                acknowledge(change, terminal);
                return ExitCode.FINE;
            }
            terminal.progress("rendering ...");
            Outcome outcome = publisher.await(change.id(), pending -> printPending(pending, terminal));
            terminal.clearProgress();
            print(outcome, files, terminal);
            return switch (outcome.status()) {
                case RENDERED, UNCHANGED, DUPLICATE, PENDING -> ExitCode.FINE;
                case REJECTED, FAILED -> ExitCode.DIFFERENT_OR_INVALID;
                case PARTIAL -> ExitCode.RENDER_PROBLEMS;
            };
        }
    }

    private void acknowledge(NewChange change, Terminal terminal) {
        if (format == Format.JSON) {
            JsonOutput.printLine(
                    terminal.out(),
                    MapValue.builder()
                            .put("workspace", new Text(change.workspace()))
                            .put("changeId", new Text(change.id()))
                            .put("parts", Num.of(change.parts().size()))
                            .build());
        } else {
            terminal.out().println(change.id());
        }
    }

    private void printPending(Outcome outcome, Terminal terminal) {
        if (format == Format.JSON) {
            JsonOutput.printLine(terminal.out(), OutcomeJson.tree(outcome));
        }
    }

    private void print(Outcome outcome, FileDocuments files, Terminal terminal) {
        if (format == Format.JSON) {
            JsonOutput.printLine(terminal.out(), OutcomeJson.tree(outcome));
            return;
        }
        Table table = new Table(
                "STATUS",
                "REVISION",
                "DOCUMENTS",
                "ADDED",
                "CHANGED",
                "REMOVED",
                "AFFECTED",
                "EVALUATED",
                "EMITTED",
                "WITHDRAWN",
                "RENDERED",
                "CHANGE");
        Outcome.Documents documents = outcome.documents();
        table.add(
                outcome.status().text(),
                outcome.revision(),
                documents.total(),
                documents.added(),
                documents.changed(),
                documents.removed(),
                outcome.work().affected(),
                outcome.work().evaluated(),
                outcome.work().emitted(),
                outcome.work().removed(),
                outcome.published().records(),
                outcome.change().id());
        table.print(terminal.out(), line -> terminal.styled("bold", line));
        terminal.out().flush();
        outcome.problems()
                .forEach(problem -> terminal.say(files.located(problem).describe()));
        outcome.warnings()
                .forEach(problem ->
                        terminal.say("warning: " + files.located(problem).describe()));
    }
}
