package dev.strake.cli.command;

import dev.strake.cli.files.FileDocuments;
import dev.strake.client.NewChange;
import dev.strake.engine.document.Document;
import dev.strake.engine.document.DocumentFormatException;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.change.WorkspaceKey;
import dev.strake.serdes.text.Limits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "publish",
        mixinStandardHelpOptions = true,
        description = {
            "Publish a change to a workspace.",
            "",
            "What the files hold becomes the whole of the bucket, unless --add or --delete says otherwise. Files with "
                    + "problems are not published; what is wrong goes to stderr with file and line.",
            "",
            "Without --wait the command ends when Kafka has the change, and prints its id. With --wait it ends when the "
                    + "change has been rendered, and prints the outcome.",
        },
        footer = {
            "",
            "@|bold Examples|@",
            "  strake publish -w site-a --wait site/",
            "  strake publish -w site-a -b secrets --add passwords.yaml",
            "  strake publish -w site-a --delete old-chart.yaml",
            "  strake publish -w site-a --rollback 12 --wait",
            "  kustomize build . | strake publish -w site-a --wait -o json -",
            "",
            "Exit codes: 0 published, 1 invalid, rejected or failed, 3 published in part, 4 Kafka unreachable or timed out.",
        })
final class PublishCommand implements Callable<Integer> {

    private final Terminal terminal;

    @Spec
    private CommandSpec spec;

    @Mixin
    private WorkspaceOption workspace;

    @Mixin
    private KafkaOptions kafka;

    @Parameters(
            paramLabel = "PATH",
            arity = "0..*",
            description = "A file, a folder with *.yaml, *.yml and *.json files, or - for the standard input.")
    private List<String> paths = new ArrayList<>();

    @Option(
            names = {"-b", "--bucket"},
            paramLabel = "BUCKET",
            defaultValue = "default",
            description = "The bucket of the documents. Default: ${DEFAULT-VALUE}")
    private String bucket;

    @Option(
            names = "--allow-empty",
            description = "Publish an input without documents, which empties the bucket. Without this option it is "
                    + "refused: a failed command before a pipe prints nothing.")
    private boolean allowEmpty;

    @ArgGroup
    private Kind kind = new Kind();

    @Mixin
    private Publishing publishing;

    /** What the change is, other than all documents of the bucket. */
    static final class Kind {

        @Option(
                names = "--add",
                description = "Add these documents to the bucket or replace them in it; the rest of it stays.")
        private boolean add;

        @Option(
                names = "--delete",
                description = "Delete these documents from the bucket. The files hold the documents, or a list of "
                        + "{schema, layer, name}.")
        private boolean delete;

        @Option(
                names = "--rollback",
                paramLabel = "REVISION",
                description = "Make a new revision with the documents of this one; takes no PATH.")
        private Long rollback;
    }

    PublishCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        checkUsage();
        FileDocuments files = FileDocuments.NONE;
        NewChange change;
        String changeId = publishing.changeId();
        if (kind.rollback != null) {
            change = NewChange.rollback(workspace.name(), changeId, kind.rollback);
        } else if (kind.delete) {
            FileDocuments.Trees trees = FileDocuments.readTrees(paths, terminal.in(), Limits.DEFAULT);
            if (refused(trees.problems())) {
                return ExitCode.DIFFERENT_OR_INVALID;
            }
            List<Value> items =
                    trees.items().stream().map(PublishCommand::identity).toList();
            change = NewChange.ofBucket(workspace.name(), changeId, ChangeType.DOCUMENTS_DELETE, bucket, items);
        } else {
            files = FileDocuments.read(paths, terminal.in(), Limits.DEFAULT);
            if (refused(files.problems())) {
                return ExitCode.DIFFERENT_OR_INVALID;
            }
            if (files.documents().isEmpty() && !kind.add && !allowEmpty) {
                terminal.say("The input holds no documents, so bucket %s would be emptied. Nothing was published. "
                                .formatted(bucket)
                        + "If that is meant, add --allow-empty.");
                return ExitCode.DIFFERENT_OR_INVALID;
            }
            ChangeType type = kind.add ? ChangeType.DOCUMENTS_PUT : ChangeType.BUCKET_PUT;
            List<MapValue> items =
                    files.documents().stream().map(Document::tree).toList();
            change = NewChange.ofBucket(workspace.name(), changeId, type, bucket, items);
        }
        return publishing.publish(change, files, kafka, terminal);
    }

    private void checkUsage() {
        if (paths.isEmpty() == (kind.rollback == null)) {
            throw usage(
                    paths.isEmpty()
                            ? "Missing PATH: which documents? Use - for the standard input."
                            : "--rollback takes no PATH.");
        }
        if (!WorkspaceKey.isName(bucket)) {
            throw usage("'%s' is no name of a bucket: use 1 to 128 letters, digits, dots, underscores and dashes."
                    .formatted(bucket));
        }
        if (kind.rollback != null && kind.rollback < 0) {
            throw usage("--rollback has to be 0 (no documents) or the number of a revision.");
        }
    }

    private ParameterException usage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    private boolean refused(List<Problem> problems) {
        problems.forEach(problem -> terminal.say(problem.describe()));
        if (!problems.isEmpty()) {
            terminal.say("Nothing was published.");
        }
        return !problems.isEmpty();
    }

    /* A whole document stands for its identity; everything else is for the service to judge. */
    private static Value identity(Value item) {
        DocumentId document;
        try {
            document = Document.of(item).id();
        } catch (DocumentFormatException e) {
            return item;
        }
        return MapValue.builder()
                .put("schema", new Text(document.schema()))
                .put("layer", document.layer().isEmpty() ? Null.NULL : new Text(document.layer()))
                .put("name", new Text(document.name()))
                .build();
    }
}
