package dev.strake.cli.question;

import dev.strake.cli.files.FileDocuments;
import dev.strake.cli.offline.OfflineRendering;
import dev.strake.cli.option.RuleOptions;
import dev.strake.cli.option.SecretsOption;
import dev.strake.cli.option.UrlOption;
import dev.strake.cli.option.WantedDocuments;
import dev.strake.cli.option.WorkspaceOption;
import dev.strake.cli.output.AnswerFields;
import dev.strake.cli.output.DifferencesOutput;
import dev.strake.cli.terminal.ExitCode;
import dev.strake.cli.terminal.TerminalCommand;
import dev.strake.client.RevisionName;
import dev.strake.client.StateClient;
import dev.strake.client.StateClient.Listing;
import dev.strake.client.StateClient.NotFoundException;
import dev.strake.client.StateClient.Parameter;
import dev.strake.engine.document.Document;
import dev.strake.engine.document.Kind;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.secret.Redaction;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.outcome.DifferencesJson;
import dev.strake.serdes.secret.SealedData;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "diff",
        exitCodeOnExecutionException = ExitCode.USAGE,
        description = {
            "Show what differs between two revisions, or between a revision and files: documents as published, and as "
                    + "rendered, place by place. A value that is secret on one side is redacted on both.",
            "",
            "A revision is its number, a tag, head, or published: the one that consumers hold while the head fails. "
                    + "Revision 0 is the workspace before its first change.",
        },
        footer = {
            "",
            "@|bold Examples|@",
            "  strake diff -w site-a 11 12",
            "  strake diff -w site-a v1 v2 -o table",
            "  strake diff -w site-a 11",
            "  strake diff -w site-a 11 --schema armada/Chart",
            "  strake diff -w site-a published head -o table",
            "  strake diff -w site-a --files site/",
            "  strake diff -w site-a 0 12 -o json | jq -r '.rendered[].name'",
            "",
            "Exit codes: 0 no difference, 1 differences, 2 no such workspace, revision or document, 3 documents of the "
                    + "files are invalid or do not render, 4 no Strake answers.",
        })
public final class DiffCommand extends TerminalCommand {

    @Mixin
    private WorkspaceOption workspace;

    @Mixin
    private UrlOption url;

    @Parameters(
            arity = "0..2",
            paramLabel = "REVISION",
            description = "The revision to compare, and the one to compare it with; the head unless given.")
    private List<String> revisions = new ArrayList<>();

    @Option(
            names = {"-f", "--files"},
            paramLabel = "PATH",
            description =
                    "Compare with what these files and folders hold and render to, or with the standard input (-); "
                            + "may be given several times.")
    private List<String> files = new ArrayList<>();

    @Option(
            names = "--schema",
            paramLabel = "SCHEMA",
            description = "Only documents of this schema; armada/Chart is any version of it.")
    private Optional<String> schema = Optional.empty();

    @Option(names = "--document", paramLabel = "DOCUMENT", description = "Only this one: NAME or SCHEMA/NAME.")
    private Optional<String> document = Optional.empty();

    @Mixin
    private RuleOptions rules;

    @Mixin
    private SecretsOption secrets;

    @Option(
            names = {"-o", "--output"},
            defaultValue = "diff",
            description =
                    "diff (values before and after), table (the short form), json, yaml or markdown. Default: ${DEFAULT-VALUE}")
    private DifferencesOutput.Format format;

    private boolean comparedStructure;

    @Override
    public Integer call() throws NotFoundException, IOException, InterruptedException {
        if (revisions.size() > (files.isEmpty() ? 2 : 1)) {
            throw usage("Too much to compare. Give two revisions, or one revision and --files.");
        }
        if (revisions.isEmpty() && files.isEmpty()) {
            throw usage("Nothing to compare. Give one or two revisions, or --files.");
        }
        try {
            revisions.forEach(RevisionName::new);
        } catch (IllegalArgumentException e) {
            throw usage(e.getMessage());
        }
        return files.isEmpty() ? ofRevisions() : ofFiles();
    }

    private int ofRevisions() throws NotFoundException, InterruptedException {
        String to = revisions.size() > 1 ? revisions.get(1) : "head";
        List<Parameter> parameters = new ArrayList<>(List.of(new Parameter("changes", "true")));
        parameters.addAll(wanted().parameters());
        parameters.addAll(secrets.parameters());
        MapValue differences = url.ask(
                workspace.name(),
                "diff/" + StateClient.encoded(revisions.get(0)) + "/" + StateClient.encoded(to),
                parameters);
        if (isSame(differences)
                && wanted().isSome()
                && isNowhere(differences, "from")
                && isNowhere(differences, "to")) {
            return sayThereAreNone();
        }
        return print(differences);
    }

    /* Whether a revision contains none of the documents. If neither does, the user may have mistyped a name. */
    private boolean isNowhere(MapValue differences, String revision) throws NotFoundException, InterruptedException {
        String number = AnswerFields.text(differences, revision);
        return number.equals("0") || (isEmpty(list("documents", number)) && isEmpty(list("rendered", number)));
    }

    private static boolean isEmpty(Listing listing) {
        return !listing.items().iterator().hasNext();
    }

    private int sayThereAreNone() {
        terminal.say("strake: there is no %s on either side.".formatted(wanted().words()));
        return ExitCode.USAGE;
    }

    private WantedDocuments wanted() {
        return WantedDocuments.of(schema, document);
    }

    private int ofFiles() throws NotFoundException, IOException, InterruptedException {
        FileDocuments read = FileDocuments.readAndWarn(files, terminal.in(), rules.limits(), terminal::say);
        OfflineRendering rendering = OfflineRendering.of(read, rules.renderer(true), Redaction.CLEARTEXT);
        List<Problem> problems = new ArrayList<>(rendering.invalid());
        problems.addAll(rendering.problems());
        problems.forEach(problem -> terminal.say(problem.describe()));
        rendering.warnings().stream()
                .filter(warning -> warning.code() == ProblemCode.SECRET_KEY_NOT_FOUND)
                .forEach(warning -> terminal.say("warning: " + warning.describe()));
        if (!problems.isEmpty()) {
            return ExitCode.RENDER_PROBLEMS;
        }
        String revision = revisions.isEmpty() ? "head" : revisions.get(0);
        Listing published = list("documents", revision);
        String number = published.what().get("revision") instanceof Num num ? num.literal() : revision;
        Map<DocumentId, MapValue> before = new TreeMap<>();
        published.items().forEach(item -> {
            Document each = Document.ofValid((MapValue) AnswerFields.at(item, "document"));
            before.put(each.id(), each.tree());
        });
        Map<DocumentId, MapValue> after = new TreeMap<>();
        WantedDocuments wanted = wanted();
        read.documents().stream()
                .filter(each -> wanted.has(each.id().schema(), each.id().name()))
                .forEach(each -> after.put(each.id(), each.tree()));
        DifferencesJson differences = new DifferencesJson(shown(), Long.MAX_VALUE);
        before.replaceAll((id, each) -> unhashed(each));
        after.replaceAll((id, each) -> unhashed(shown().published(each)));
        read.documents().stream()
                .filter(each -> SealedData.isSealed(each.tree()))
                .forEach(each -> after.computeIfPresent(
                        each.id(), (id, here) -> withData(here, before.get(id), known -> known)));
        compare(before, after, id -> (old, young) -> differences.document(id, old, young));
        Map<DocumentKey, MapValue> renderedBefore =
                byKey(list("rendered", number).items());
        Map<DocumentKey, MapValue> renderedAfter = byKey(rendering.rendered());
        renderedAfter.replaceAll((key, each) -> shown().rendered(withData(
                each,
                renderedBefore.get(key),
                known -> SealedData.replacedBy(known, each.get("data"), secrets.isCleartext()))));
        if (wanted.isSome()
                && Stream.of(before, after, renderedBefore, renderedAfter).allMatch(Map::isEmpty)) {
            return sayThereAreNone();
        }
        if (mayDeriveMore(read.documents())) {
            Set<DocumentKey> known = new TreeSet<>(renderedAfter.keySet());
            before.keySet().forEach(id -> known.add(id.key()));
            renderedBefore.keySet().retainAll(known);
        }
        compare(renderedBefore, renderedAfter, key -> (old, young) -> differences.rendered(key, old, young));
        if (comparedStructure) {
            terminal.say(
                    "strake: values of secrets were not compared, because they are redacted with a key that is not "
                            + "here. --cleartext-secrets compares them, with the role secrets-reader.");
        }
        return print(differences.in(MapValue.of("workspace", workspace.name()).with("from", Num.ofLiteral(number))));
    }

    /* Without a key, a collection or stack derives nothing if it is sealed, or a file of its tree. */
    private static boolean mayDeriveMore(List<Document> documents) {
        return documents.stream().anyMatch(each -> each.kind() == Kind.DERIVATION)
                && documents.stream().anyMatch(each -> SealedData.isSealed(each.tree()));
    }

    private static MapValue withData(MapValue here, MapValue known, UnaryOperator<Value> taken) {
        return known == null || !known.has("data") || !here.has("data")
                ? here
                : here.with("data", taken.apply(known.get("data")));
    }

    private Listing list(String what, String revision) throws NotFoundException, InterruptedException {
        List<Parameter> parameters = new ArrayList<>(wanted().parameters());
        parameters.add(new Parameter("revision", revision));
        parameters.addAll(secrets.parameters());
        return url.client().list(workspace.name(), what, parameters);
    }

    private Map<DocumentKey, MapValue> byKey(Iterable<? extends Value> rendered) {
        WantedDocuments wanted = wanted();
        Map<DocumentKey, MapValue> byKey = new TreeMap<>();
        for (Value each : rendered) {
            DocumentKey key =
                    new DocumentKey(AnswerFields.text(each, "schema"), AnswerFields.text(each, "metadata", "name"));
            if (wanted.has(key.schema(), key.name())) {
                byKey.put(key, unhashed((MapValue) each));
            }
        }
        return byKey;
    }

    private <K> void compare(
            Map<K, MapValue> before, Map<K, MapValue> after, Function<K, BiConsumer<Value, Value>> report) {
        TreeSet<K> all = new TreeSet<>(before.keySet());
        all.addAll(after.keySet());
        all.forEach(key -> report.apply(key).accept(before.get(key), after.get(key)));
    }

    private Redaction shown() {
        return secrets.isCleartext() ? Redaction.CLEARTEXT : Redaction.STRUCTURE;
    }

    /* Masks of the service, of files and of this run come from different keys, so their hashes are removed. */
    private MapValue unhashed(MapValue document) {
        if (secrets.isCleartext() || !document.has("data")) {
            return document;
        }
        Value data = Redaction.unhashed(document.get("data"));
        comparedStructure |= data.hasSecrets();
        return document.with("data", data);
    }

    private int print(MapValue differences) {
        new DifferencesOutput(terminal).print(differences, format);
        if (DifferencesOutput.isCut(differences)) {
            terminal.say("strake: there are too many changes for one answer, so the last documents are listed without "
                    + "theirs.");
        }
        return isSame(differences) ? ExitCode.FINE : ExitCode.DIFFERENT_OR_INVALID;
    }

    private static boolean isSame(MapValue differences) {
        return differences.items("documents").isEmpty()
                && differences.items("rendered").isEmpty();
    }
}
