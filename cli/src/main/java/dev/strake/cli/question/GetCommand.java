package dev.strake.cli.question;

import dev.strake.cli.option.KafkaOptions;
import dev.strake.cli.option.ListFormatOption;
import dev.strake.cli.option.QueryOption;
import dev.strake.cli.option.RevisionOption;
import dev.strake.cli.option.SecretsOption;
import dev.strake.cli.option.UrlOption;
import dev.strake.cli.option.WantedDocuments;
import dev.strake.cli.option.WorkspaceOption;
import dev.strake.cli.output.AnswerFields;
import dev.strake.cli.output.Lower;
import dev.strake.cli.output.SelectedParts;
import dev.strake.cli.terminal.ExitCode;
import dev.strake.cli.terminal.KafkaWait;
import dev.strake.cli.terminal.TerminalCommand;
import dev.strake.client.Cluster;
import dev.strake.client.Outcomes;
import dev.strake.client.StateClient.Listing;
import dev.strake.client.StateClient.NotFoundException;
import dev.strake.client.StateClient.Parameter;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.query.DocumentQuery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "get",
        description = {
            "Print the state of a workspace, as a running Strake has it.",
            "",
            "documents are as published, rendered is what they render to, problems say why some do not. outcomes are "
                    + "the results of all changes, also of rejected ones; they come from Kafka.",
            "",
            "Secrets are redacted: ****** and a hash that only the service can compute. Equal values look equal.",
            "",
            "While the head fails, consumers hold an earlier revision: --published shows it.",
        },
        footer = {
            "",
            "@|bold Examples|@",
            "  strake get workspaces",
            "  strake get rendered -w site-a armada/Chart/v1/nova -o yaml",
            "  strake get documents -w site-a --schema armada/Chart -l component=nova",
            "  strake get rendered -w site-a --query '$..image'",
            "  strake get rendered -w site-a --revision 12 -o json | jq length",
            "  strake get revisions -w site-a",
            "  strake get outcomes -w site-a --last 5",
            "",
            "Exit codes: 0 success, 1 no such workspace, revision or document, or a query that takes too much work, 4 "
                    + "no Strake or Kafka answers.",
        })
public final class GetCommand extends TerminalCommand {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int USUAL_LAST = 20;

    /** The lists that users can get. */
    enum Kind {
        DOCUMENTS,
        RENDERED,
        REVISIONS,
        TAGS,
        PROBLEMS,
        BUCKETS,
        WORKSPACES,
        OUTCOMES;

        boolean isOfRevision() {
            return this == PROBLEMS || this == BUCKETS || isOfDocuments();
        }

        boolean isOfDocuments() {
            return this == DOCUMENTS || this == RENDERED;
        }

        @Override
        public String toString() {
            return Lower.name(this);
        }
    }

    @Mixin
    private WorkspaceOption workspace;

    @Mixin
    private UrlOption url;

    @Parameters(
            index = "0",
            paramLabel = "WHAT",
            description = "documents, rendered, revisions, tags, problems, buckets, workspaces or outcomes.")
    private Kind kind;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "[SCHEMA/]NAME",
            description = "Only this document (of documents, rendered and problems), or this change id (of outcomes).")
    private Optional<String> name = Optional.empty();

    @Option(
            names = "--schema",
            paramLabel = "SCHEMA",
            description = "Only documents of this schema; armada/Chart is any version of it.")
    private Optional<String> schema = Optional.empty();

    @Option(
            names = {"-l", "--label"},
            paramLabel = "KEY=VALUE",
            description = "Only documents with this label; may be given several times, all have to match.")
    private Map<String, String> labels = new LinkedHashMap<>();

    @Mixin
    private QueryOption query;

    @Mixin
    private RevisionOption revision;

    @Mixin
    private SecretsOption secrets;

    @Option(
            names = "--last",
            paramLabel = "N",
            description = "How many outcomes, the newest ones. Default: " + USUAL_LAST)
    private Optional<Integer> last = Optional.empty();

    @Mixin
    private KafkaOptions kafka;

    @Mixin
    private ListFormatOption format;

    @Override
    public Integer call() throws NotFoundException, InterruptedException {
        checkOptions();
        Listing listing = switch (kind) {
            case WORKSPACES -> url.client().workspaces();
            case OUTCOMES -> outcomes();
            default -> url.client().list(workspace.name(), kind.toString(), parameters());
        };
        sayWhatConsumersHold(listing.what());
        Counted items = new Counted(listing.items());
        boolean isSelected = query.value().isPresent();
        format.value()
                .print(
                        terminal,
                        bare(items, isSelected),
                        () -> isSelected ? SelectedParts.table(items) : ListTable.of(kind, items));
        if (items.count == 0 && name.isPresent()) {
            terminal.say("strake: there is no %s %s%s.".formatted(singular(), name.get(), of(listing.what())));
            return ExitCode.DIFFERENT_OR_INVALID;
        }
        if (items.count == 0 && kind == Kind.OUTCOMES) {
            terminal.say(
                    "strake: workspace %s has no outcomes in Kafka. Check its name ('strake get workspaces'); old outcomes may have expired."
                            .formatted(workspace.name()));
            return ExitCode.DIFFERENT_OR_INVALID;
        }
        return items.cut == 0 ? ExitCode.FINE : SelectedParts.sayCut(items.cut, terminal);
    }

    private void checkOptions() {
        boolean isFiltered =
                schema.isPresent() || !labels.isEmpty() || query.value().isPresent();
        if (!kind.isOfDocuments() && (!labels.isEmpty() || query.value().isPresent())) {
            throw usage("--label and --query are for documents and rendered.");
        }
        if (!kind.isOfDocuments() && secrets.isCleartext()) {
            throw usage("--cleartext-secrets is for documents and rendered.");
        }
        if (!kind.isOfDocuments() && kind != Kind.PROBLEMS && (schema.isPresent() || isNamed())) {
            throw usage("The list of %s cannot be filtered: leave out %s."
                    .formatted(kind, isFiltered ? "--schema" : "NAME"));
        }
        if (!kind.isOfRevision() && revision.isGiven()) {
            throw usage("--revision and --published are for documents, rendered, problems and buckets.");
        }
        if (last.isPresent() && kind != Kind.OUTCOMES) {
            throw usage("--last is for outcomes.");
        }
        if (last.isPresent() && (last.get() < 1 || last.get() > 100_000)) {
            throw usage("--last has to be 1 to 100000.");
        }
    }

    private boolean isNamed() {
        return name.isPresent() && kind != Kind.OUTCOMES;
    }

    private List<Parameter> parameters() {
        List<Parameter> parameters = new ArrayList<>(revision.parameters());
        parameters.addAll(WantedDocuments.of(schema, name).parameters());
        labels.forEach((key, value) -> parameters.add(new Parameter("label", key + "=" + value)));
        query.value().map(DocumentQuery::toString).ifPresent(text -> parameters.add(new Parameter("query", text)));
        parameters.addAll(secrets.parameters());
        return parameters;
    }

    private Listing outcomes() {
        Cluster cluster = kafka.settings(System.getenv()).cluster();
        Outcomes outcomes = new Outcomes(cluster, kafka.topicPrefix(), workspace.name(), PATIENCE);
        List<Outcome> found = KafkaWait.until(
                cluster,
                terminal,
                () -> outcomes.last(
                        last.orElse(USUAL_LAST),
                        outcome -> name.isEmpty()
                                || name.get().equals(outcome.change().id())));
        List<Value> items = found.stream().<Value>map(OutcomeJson::tree).toList();
        return new Listing(MapValue.EMPTY, items);
    }

    /* Says so if consumers do not hold the head: it failed, or is published in part. */
    private void sayWhatConsumersHold(MapValue what) {
        if (!kind.isOfDocuments()) {
            return;
        }
        revision.sayWhatConsumersHold(what, terminal);
        if (revision.mayBeHead() && AnswerFields.text(what, "status").equals("partial")) {
            terminal.say(
                    "strake: revision %s, the head, is published in part: consumers keep the previous version of documents that do not render.%s 'strake get problems -w %s' says why."
                            .formatted(AnswerFields.text(what, "revision"), heldBack(what), workspace.name()));
        }
    }

    private static String heldBack(MapValue what) {
        if (!(AnswerFields.at(what, "heldBack", "items") instanceof ListValue items)) {
            return "";
        }
        Map<Boolean, List<String>> byPublished = items.items().stream()
                .collect(Collectors.partitioningBy(
                        item -> Bool.TRUE.equals(AnswerFields.at(item, "published")),
                        Collectors.mapping(
                                item -> AnswerFields.text(item, "schema") + "/" + AnswerFields.text(item, "name"),
                                Collectors.toList())));
        long more = Long.parseLong(AnswerFields.text(what, "heldBack", "documents")) - items.size();
        return named(" They keep an earlier %s.", byPublished.get(true))
                + named(" They have no %s.", byPublished.get(false))
                + (more > 0 ? " %d more documents do not render.".formatted(more) : "");
    }

    private static String named(String sentence, List<String> names) {
        return names.isEmpty() ? "" : sentence.formatted(String.join(", ", names));
    }

    private String singular() {
        return switch (kind) {
            case RENDERED -> "rendered document";
            case PROBLEMS -> "problem of";
            case OUTCOMES -> "outcome of change";
            default -> "document";
        };
    }

    private static String of(MapValue what) {
        return what.get("revision") instanceof Num number ? " in revision " + number.literal() : "";
    }

    /* Removes the buckets: YAML and JSON contain only the documents, which can be published again. */
    private Iterable<Value> bare(Iterable<Value> items, boolean isSelected) {
        return kind != Kind.DOCUMENTS || isSelected
                ? items
                : () -> StreamSupport.stream(items.spliterator(), false)
                        .map(item -> AnswerFields.at(item, "document"))
                        .iterator();
    }

    /** Counts items during iteration. */
    private static final class Counted implements Iterable<Value> {

        private final Iterable<Value> items;
        private int count;
        private int cut;

        Counted(Iterable<Value> items) {
            this.items = items;
        }

        @Override
        public Iterator<Value> iterator() {
            return StreamSupport.stream(items.spliterator(), false)
                    .peek(item -> {
                        count++;
                        cut += SelectedParts.isCut(item) ? 1 : 0;
                    })
                    .iterator();
        }
    }
}
