package dev.strake.cli.change;

import dev.strake.cli.files.FileDocuments;
import dev.strake.cli.option.KafkaOptions;
import dev.strake.cli.option.UrlOption;
import dev.strake.cli.option.WorkspaceOption;
import dev.strake.cli.output.Lower;
import dev.strake.cli.output.OutcomeOutput;
import dev.strake.cli.terminal.ExitCode;
import dev.strake.cli.terminal.KafkaWait;
import dev.strake.cli.terminal.Terminal;
import dev.strake.client.ChangePublisher;
import dev.strake.client.Cluster;
import dev.strake.client.KafkaUnavailableException;
import dev.strake.client.NewChange;
import dev.strake.client.RenderedDocuments;
import dev.strake.client.StateClient.NotFoundException;
import dev.strake.serdes.change.Note;
import dev.strake.serdes.change.RemovalLimit;
import dev.strake.serdes.change.Terms;
import dev.strake.serdes.outcome.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The workspace to change, and how to send the change. Sends it, and waits for its outcome. */
public final class PublishOptions {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Mixin
    private WorkspaceOption workspace;

    @Mixin
    private KafkaOptions kafka;

    @Mixin
    private UrlOption url;

    @Option(
            names = "--id",
            paramLabel = "ID",
            description = "The id of the change. Default: a new one. An id that was applied already changes nothing, "
                    + "so it is safe to retry with the same id.")
    private Optional<String> id = Optional.empty();

    @Option(names = "--wait", description = "Wait until the change is rendered, and print its outcome.")
    private boolean wait;

    @Option(
            names = "--expect-revision",
            paramLabel = "N",
            description = "Publish only if the head of the workspace still is this revision; 0 for a new workspace. "
                    + "Otherwise the change is rejected.")
    private Optional<Long> expected = Optional.empty();

    @Option(
            names = {"-m", "--message"},
            paramLabel = "TEXT",
            description = "Why the change is made; kept with its revision.")
    private Optional<String> message = Optional.empty();

    @Option(
            names = "--author",
            paramLabel = "NAME",
            defaultValue = "${env:STRAKE_AUTHOR}",
            description = "Who makes the change; kept with its revision. Default: STRAKE_AUTHOR of the environment.")
    private Optional<String> author = Optional.empty();

    /** How long to wait for a rejection without {@code --wait}. */
    private static final Duration SHORT = Duration.ofSeconds(3);

    /** How long to wait for the published records. */
    private static final Duration MOMENT = Duration.ofSeconds(10);

    /** The longest time that the service waits for an outcome. */
    private static final int MOST_WAIT_SECONDS = 120;

    private int timeout;

    @Option(
            names = {"-o", "--output"},
            defaultValue = "table",
            description = "table or json (one line for each outcome). Default: ${DEFAULT-VALUE}")
    private Format format;

    enum Format {
        TABLE,
        JSON;

        @Override
        public String toString() {
            return Lower.name(this);
        }
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

    String workspace() {
        return workspace.name();
    }

    KafkaOptions kafka() {
        return kafka;
    }

    UrlOption url() {
        return url;
    }

    String changeId() {
        if (id.isPresent() && !NewChange.isId(id.get())) {
            throw new ParameterException(command.commandLine(), "--id has to have " + NewChange.ID_RULE + ".");
        }
        return id.orElseGet(() -> UUID.randomUUID().toString());
    }

    boolean isJson() {
        return format == Format.JSON;
    }

    /** Adds the expected revision, author and message to a change. */
    NewChange signed(NewChange change) {
        if (expected.isPresent() && expected.get() < 0) {
            throw new ParameterException(
                    command.commandLine(), "--expect-revision has to be 0 or the number of a revision.");
        }
        Terms terms = new Terms(false, expected.orElse(null), change.terms().removals(), false);
        return change.with(
                terms, new Note(author.filter(text -> !text.isEmpty()).orElse(null), message.orElse(null)));
    }

    /**
     * Publishes a change, and waits for its outcome if requested.
     *
     * @param files the files of the change, for locations in messages
     * @return the exit code
     */
    int publish(NewChange unsigned, FileDocuments files, Terminal terminal) throws NotFoundException {
        return publish(unsigned, new PublishReport(files, Optional.empty(), isJson(), terminal), terminal);
    }

    /** Publishes a change that is reported in sentences instead of figures. */
    int publish(NewChange unsigned, PublishReport.Sentences sentences, Terminal terminal) throws NotFoundException {
        return publish(
                unsigned, new PublishReport(FileDocuments.NONE, Optional.of(sentences), isJson(), terminal), terminal);
    }

    private int publish(NewChange unsigned, PublishReport report, Terminal terminal) throws NotFoundException {
        NewChange change = signed(unsigned);
        try {
            if (url.isGiven()) {
                return publish(change, this::overHttp, report);
            }
            Cluster cluster = kafka.settings(System.getenv()).cluster();
            Duration patience = Duration.ofSeconds(timeout);
            try (ChangePublisher publisher =
                    open(cluster, kafka.topicPrefix(), change.workspace(), patience, terminal)) {
                return publish(change, sent -> overKafka(sent, publisher, cluster, report, terminal), report);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaUnavailableException("The change %s may have been published.".formatted(change.id()), e);
        }
    }

    /** Publishes a change over HTTP or Kafka. Returns its outcome if the command waits for it. */
    private interface Way {

        Optional<Outcome> publish(NewChange change) throws NotFoundException, InterruptedException;
    }

    private int publish(NewChange change, Way way, PublishReport report)
            throws NotFoundException, InterruptedException {
        Optional<Outcome> outcome = way.publish(change);
        if (outcome.isPresent() && RemovalOptions.areConfirmed(outcome.get(), report.terminal())) {
            outcome = way.publish(change.with(change.terms().removing(RemovalLimit.NONE), change.note()));
        }
        if (outcome.isPresent() && (wait || PublishReport.exitCode(outcome.get()) != ExitCode.FINE)) {
            report.outcome(outcome.get(), published(outcome.get()));
            return PublishReport.exitCode(outcome.get());
        }
        report.published(change, url.isGiven());
        return ExitCode.FINE;
    }

    private Optional<Outcome> overHttp(NewChange change) throws NotFoundException, InterruptedException {
        Duration patience = Duration.ofSeconds(Math.min(timeout, MOST_WAIT_SECONDS));
        Optional<Outcome> outcome =
                url.client().publish(change, wait ? patience : mayRemove(change) ? SHORT : Duration.ZERO);
        if (wait && outcome.isEmpty()) {
            throw new KafkaUnavailableException(
                    "The change %s is published, but its outcome did not arrive within %d s. Request it later: GET /workspaces/%s/changes/%s."
                            .formatted(change.id(), patience.toSeconds(), change.workspace(), change.id()));
        }
        return outcome;
    }

    private Optional<Outcome> overKafka(
            NewChange change, ChangePublisher publisher, Cluster cluster, PublishReport report, Terminal terminal) {
        KafkaWait.until(cluster, terminal, () -> {
            publisher.publish(change);
            return null;
        });
        if (wait) {
            return Optional.of(publisher.await(change.id(), report::pending));
        }
        return mayRemove(change) ? publisher.poll(change.id(), SHORT) : Optional.empty();
    }

    /* Even without --wait, users learn why such a change is rejected, if the outcome arrives soon. */
    private static boolean mayRemove(NewChange change) {
        return !change.terms().removals().equals(RemovalLimit.NONE);
    }

    /** Opens a publisher. Prints a remark while Kafka does not answer. */
    static ChangePublisher open(
            Cluster cluster, String prefix, String workspace, Duration patience, Terminal terminal) {
        return KafkaWait.until(cluster, terminal, () -> new ChangePublisher(cluster, prefix, workspace, patience));
    }

    /* Describes the first rendered documents that a change published or removed. */
    private List<String> published(Outcome outcome) {
        if (url.isGiven() || outcome.work().emitted() + outcome.work().removed() == 0) {
            return List.of();
        }
        List<RenderedDocuments.Received> named;
        try {
            named = RenderedDocuments.of(
                    kafka.settings(System.getenv()).cluster(),
                    kafka.topicPrefix(),
                    outcome,
                    OutcomeOutput.MOST_NAMED,
                    MOMENT);
        } catch (KafkaUnavailableException e) {
            return List.of(); // a publisher may lack the permission to read them; the outcome still counts them
        }
        return named.stream()
                .map(each -> (each.message().document().isPresent() ? "rendered " : "removed  ")
                        + each.message().key().document().schema() + "/"
                        + each.message().key().document().name())
                .toList();
    }
}
