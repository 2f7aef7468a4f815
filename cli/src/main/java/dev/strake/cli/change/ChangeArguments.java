package dev.strake.cli.change;

import dev.strake.cli.files.FileDocuments;
import dev.strake.cli.files.FileTrees;
import dev.strake.cli.option.RuleOptions;
import dev.strake.cli.option.SealingOption;
import dev.strake.cli.option.UrlOption;
import dev.strake.cli.terminal.Terminal;
import dev.strake.client.NewChange;
import dev.strake.client.StateClient.NotFoundException;
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
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The arguments that specify a change: the documents of files, or a revision to restore. */
public final class ChangeArguments {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

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
            description =
                    "Accept an input without documents, which empties the bucket unless --add or --delete is given. "
                            + "Without this option it is refused, because a failed command before a pipe prints "
                            + "nothing.")
    private boolean allowEmpty;

    @Mixin
    private SealingOption sealing;

    @Mixin
    private RuleOptions rules;

    @ArgGroup
    private Kind kind = new Kind();

    /** The kind of change, unless it replaces all documents of the bucket. */
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
                description = "Make a new revision with the documents of this one: its number, a tag, or published. "
                        + "Takes no PATH.")
        private String rollback;
    }

    /**
     * A change that was read.
     *
     * @param files the files of the change, for locations in messages
     */
    record Read(NewChange change, FileDocuments files) {}

    /** Whether the user permits an input without documents. */
    boolean isMeantEmpty() {
        return allowEmpty;
    }

    /** The settings that apply to files. */
    RuleOptions rules() {
        return rules;
    }

    /** Reads the documents of the files for an offline plan, which accepts no other kind of change. */
    FileDocuments files(Terminal terminal) throws IOException {
        if (paths.isEmpty() || kind.add || kind.delete || kind.rollback != null) {
            throw usage("With --base, give the files to compare with it, and no --add, --delete or --rollback.");
        }
        return FileDocuments.readAndWarn(paths, terminal.in(), rules.limits(), terminal::say);
    }

    /**
     * Reads the change. Empty if a file has a problem, which is printed to stderr.
     *
     * @param url a running Strake, which resolves tags and provides the public key for sealing secrets
     * @throws NotFoundException if the revision does not exist
     */
    Optional<Read> read(String workspace, String changeId, UrlOption url, Terminal terminal)
            throws IOException, NotFoundException, InterruptedException {
        checkUsage();
        if (kind.rollback != null) {
            long revision = url.revision(workspace, kind.rollback, terminal);
            return Optional.of(new Read(NewChange.rollback(workspace, changeId, revision), FileDocuments.NONE));
        }
        return kind.delete ? deletion(workspace, changeId, terminal) : documents(workspace, changeId, url, terminal);
    }

    private Optional<Read> deletion(String workspace, String changeId, Terminal terminal) throws IOException {
        FileTrees trees = FileTrees.read(paths, terminal.in(), rules.limits(), terminal::say);
        trees.warnings().forEach(warning -> terminal.say("warning: " + warning.describe()));
        if (refused(trees.problems(), terminal)) {
            return Optional.empty();
        }
        if (trees.items().isEmpty() && !allowEmpty) {
            return refusedAsEmpty("nothing would be deleted", terminal);
        }
        List<Value> items =
                trees.items().stream().map(ChangeArguments::identity).toList();
        NewChange change = NewChange.ofBucket(workspace, changeId, ChangeType.DOCUMENTS_DELETE, bucket, items);
        return Optional.of(new Read(change, FileDocuments.NONE));
    }

    private Optional<Read> documents(String workspace, String changeId, UrlOption url, Terminal terminal)
            throws IOException, InterruptedException {
        FileDocuments files = FileDocuments.readAndWarn(paths, terminal.in(), rules.limits(), terminal::say);
        if (refused(files.problems(), terminal)) {
            return Optional.empty();
        }
        if (files.documents().isEmpty() && !allowEmpty) {
            return refusedAsEmpty(
                    kind.add ? "nothing would be added" : "bucket " + bucket + " would be emptied", terminal);
        }
        ChangeType type = kind.add ? ChangeType.DOCUMENTS_PUT : ChangeType.BUCKET_PUT;
        List<MapValue> items =
                sealing.sealed(files.documents().stream().map(Document::tree).toList(), workspace, url);
        return Optional.of(
                new Read(NewChange.ofBucket(workspace, changeId, type, bucket, items, files.origins()), files));
    }

    private static Optional<Read> refusedAsEmpty(String effect, Terminal terminal) {
        terminal.say(
                "Nothing was published: the input holds no documents, so %s. If this is intended, add --allow-empty."
                        .formatted(effect));
        return Optional.empty();
    }

    private void checkUsage() {
        if (paths.isEmpty() == (kind.rollback == null)) {
            throw usage(
                    paths.isEmpty()
                            ? "Missing PATH. Give files or folders, or - for the standard input."
                            : "--rollback takes no PATH.");
        }
        if (!WorkspaceKey.isName(bucket)) {
            throw usage("'%s' is not a bucket name: use 1 to 128 letters, digits, dots, underscores and dashes."
                    .formatted(bucket));
        }
    }

    private ParameterException usage(String message) {
        return new ParameterException(command.commandLine(), message);
    }

    private static boolean refused(List<Problem> problems, Terminal terminal) {
        problems.forEach(problem -> terminal.say(problem.describe()));
        if (!problems.isEmpty()) {
            terminal.say("Nothing was published.");
        }
        return !problems.isEmpty();
    }

    /* Reduces a document to its identity. The service validates all other items. */
    private static Value identity(Value item) {
        DocumentId document;
        try {
            document = Document.of(item).id();
        } catch (DocumentFormatException e) {
            return item;
        }
        return MapValue.builder()
                .put("schema", document.schema())
                .put("layer", document.layer().isEmpty() ? Null.NULL : new Text(document.layer()))
                .put("name", document.name())
                .build();
    }
}
