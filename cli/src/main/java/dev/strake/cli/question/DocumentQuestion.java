package dev.strake.cli.question;

import dev.strake.cli.files.FileDocuments;
import dev.strake.cli.offline.OfflineRevision;
import dev.strake.cli.option.DocumentName;
import dev.strake.cli.option.RevisionOption;
import dev.strake.cli.option.RuleOptions;
import dev.strake.cli.option.UrlOption;
import dev.strake.cli.option.WorkspaceOption;
import dev.strake.cli.terminal.Terminal;
import dev.strake.client.StateClient;
import dev.strake.client.StateClient.Parameter;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.path.Path;
import dev.strake.engine.path.PathSyntaxException;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Place;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/**
 * A query about one document, and optionally a place in its data: to a running Strake, or to files.
 *
 * <pre>
 *  -w WS SCHEMA/NAME [PATH-IN-DATA]               a workspace
 *  FILE… --document SCHEMA/NAME [--path PATH]     files, without Kafka
 * </pre>
 */
public final class DocumentQuestion {

    private static final DocumentName NAMES = new DocumentName();

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Parameters(
            paramLabel = "ARGUMENT",
            arity = "1..*",
            description = "With --document: files and folders with documents, or - for the standard input. Without "
                    + "it: SCHEMA/NAME, and optionally a place in its data.")
    private List<String> arguments = new ArrayList<>();

    @Mixin
    private WorkspaceOption workspace;

    @Mixin
    private UrlOption url;

    @Mixin
    private RevisionOption revision;

    @Option(
            names = "--document",
            paramLabel = "SCHEMA/NAME",
            converter = DocumentName.class,
            description = "The document among those of files, as armada/Chart/v1/nova.")
    private DocumentKey document;

    @Option(names = "--path", paramLabel = "PATH", description = "One place of its data: .list[0] or .values.replicas.")
    private Optional<String> path = Optional.empty();

    @Mixin
    private RuleOptions rules;

    /**
     * The document that was found in files.
     *
     * @param id the document; the owner if the document is derived
     * @param derived the key of a derived document; empty for any other document
     */
    record Found(
            FileDocuments files, OfflineRevision revision, DocumentId id, Optional<DocumentKey> derived, Place place) {

        /** The requested document; a derived one has the layer of its owner. */
        DocumentId asked() {
            return derived.map(key -> key.in(id.layer())).orElse(id);
        }
    }

    boolean isAboutAPlace() {
        return !(isOfFiles() ? path.orElse(".") : place()).equals(".");
    }

    private String place() {
        return path.orElse(arguments.size() > 1 ? arguments.get(1) : ".");
    }

    boolean isOfFiles() {
        return document != null;
    }

    /** Reads the files. Empty if they have problems or lack the document; the reason is printed to stderr. */
    Optional<Found> find(Terminal terminal) throws IOException {
        return find(terminal, Optional.empty());
    }

    /** @param layer the layer of the document; if empty, the document that renders */
    Optional<Found> find(Terminal terminal, Optional<String> layer) throws IOException {
        if (revision.isGiven()) {
            throw usage("Files have no revisions: --revision and --published are for workspaces (-w).");
        }
        Place place = place(path.orElse("."));
        FileDocuments files = FileDocuments.readAndWarn(arguments, terminal.in(), rules.limits(), terminal::say);
        List<Problem> problems = files.problems();
        OfflineRevision found = null;
        if (problems.isEmpty()) {
            found = new OfflineRevision(files.documents(), rules.renderer(true));
            problems = found.rejections();
            OfflineRevision.sealed(files.documents())
                    .ifPresent(warning ->
                            terminal.say("warning: " + files.located(warning).describe()));
        }
        if (!problems.isEmpty()) {
            problems.forEach(problem -> terminal.say(files.located(problem).describe()));
            return Optional.empty();
        }
        OfflineRevision whole = found;
        Optional<DocumentId> owner =
                whole.owner(document).filter(each -> each.layer().equals(layer.orElse(each.layer())));
        Optional<DocumentId> id = owner.or(() -> whole.find(document, layer));
        if (id.isEmpty()) {
            terminal.say("strake: these files have no document %s/%s%s"
                    .formatted(
                            document.schema(),
                            document.name(),
                            layer.map(each -> " in a layer " + each).orElse("")));
        }
        return id.map(each -> new Found(files, whole, each, owner.map(present -> document), place));
    }

    /**
     * Queries a running Strake.
     *
     * @param what the last part of the route
     * @param more parameters in addition to those of the document
     */
    MapValue ask(String what, List<Parameter> more) throws StateClient.NotFoundException, InterruptedException {
        String asked = workspace.name("Missing document. Give a workspace and SCHEMA/NAME, or files and --document.");
        if (arguments.size() > (path.isPresent() ? 1 : 2)) {
            throw usage("Too many arguments. Give SCHEMA/NAME and at most one place in its data; files need "
                    + "--document.");
        }
        DocumentKey key;
        try {
            key = NAMES.convert(arguments.get(0));
        } catch (TypeConversionException e) {
            throw usage(e.getMessage());
        }
        String place = place();
        place(place);
        List<Parameter> parameters =
                new ArrayList<>(List.of(new Parameter("schema", key.schema()), new Parameter("name", key.name())));
        if (!place.equals(".")) {
            parameters.add(new Parameter("path", place));
        }
        parameters.addAll(revision.parameters());
        parameters.addAll(more);
        return url.ask(asked, what, parameters);
    }

    /** If the answer is from a failed head, says which revision consumers hold. */
    void sayWhatConsumersHold(MapValue answer, Terminal terminal) {
        revision.sayWhatConsumersHold(answer, terminal);
    }

    private Place place(String text) {
        try {
            return Path.place(text);
        } catch (PathSyntaxException e) {
            throw usage("--path: " + e.getMessage());
        }
    }

    private ParameterException usage(String message) {
        return new ParameterException(command.commandLine(), message);
    }
}
