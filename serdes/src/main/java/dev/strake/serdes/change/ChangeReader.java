package dev.strake.serdes.change;

import dev.strake.engine.document.Document;
import dev.strake.engine.document.DocumentFormatException;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Location;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.RecentShapes;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.text.DocumentReader;
import dev.strake.serdes.text.Limits;
import dev.strake.serdes.text.ReadDocument;
import dev.strake.serdes.text.Tally;
import dev.strake.serdes.text.UnreadableTextException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Reads the body of a change once all of its parts have arrived. */
public final class ChangeReader {

    /** The largest number of problems listed for one change. */
    private static final int MOST_LISTED = 100;

    /** Recently used sets of keys. Shared by all tasks, because their documents have the same kinds. */
    private static final RecentShapes SHAPES = new RecentShapes();

    private final DocumentReader reader;
    private final Unsealing unsealing;

    /** A reader without keys: sealed documents are rejected. */
    public ChangeReader(Limits limits) {
        this(limits, Unsealing.NONE);
    }

    public ChangeReader(Limits limits, Unsealing unsealing) {
        this.reader = new DocumentReader(limits);
        this.unsealing = unsealing;
    }

    /**
     * The content of all parts of a change.
     *
     * @param tally the counts of the content
     */
    private record Items(List<ReadDocument> read, List<String> origins, Tally tally) {

        /* Null if the author gave no origin. */
        String origin(int item) {
            String origin = item < origins.size() ? origins.get(item) : "";
            return origin.isEmpty() ? null : origin;
        }
    }

    /**
     * Reads a change from an envelope and all parts. Each part is a complete text.
     *
     * @param envelope the envelope of any part, without problems
     * @param parts the parts in their order
     * @throws RejectedChangeException with all problems of the documents, or the reason why a text is unreadable
     */
    public Change read(ChangeEnvelope envelope, List<Payload> parts) throws RejectedChangeException {
        return read(envelope, parts, warning -> {});
    }

    /**
     * As {@link #read(ChangeEnvelope, List)}, with warnings.
     *
     * @param warnings receives warnings about repeated keys
     */
    public Change read(ChangeEnvelope envelope, List<Payload> parts, Consumer<Problem> warnings)
            throws RejectedChangeException {
        Items all = readParts(reader, envelope, parts);
        List<ReadDocument> items = all.read();
        if (envelope.type() != ChangeType.BUCKET_PUT && envelope.type() != ChangeType.DOCUMENTS_PUT) {
            items.forEach(item -> item.warnings().forEach(warnings));
        }
        return switch (envelope.type()) {
            case BUCKET_PUT -> new Change.BucketPut(envelope, documents(envelope, parts, all, warnings));
            case DOCUMENTS_PUT -> new Change.DocumentsPut(envelope, documents(envelope, parts, all, warnings));
            case DOCUMENTS_DELETE -> new Change.DocumentsDelete(envelope, identities(items));
            case ROLLBACK -> new Change.Rollback(envelope, new ControlBody(items, Set.of("revision")).revision());
            case TAG -> tag(envelope, items);
            case UNTAG -> untag(envelope, items);
            case VALIDATION_PUT -> validation(envelope, items);
            case WORKSPACE_DELETE -> workspaceDelete(envelope, items);
        };
    }

    private static Items readParts(DocumentReader reader, ChangeEnvelope envelope, List<Payload> parts)
            throws RejectedChangeException {
        Limits limits = reader.limits();
        List<ReadDocument> items = new ArrayList<>();
        List<String> origins = new ArrayList<>();
        long bytes = 0;
        for (Payload part : parts) {
            bytes += part.bytes();
        }
        if (bytes > limits.change().bytes()) {
            throw beyond("the change has more than " + limits.change().bytes() + " bytes in all parts");
        }
        Tally all = new Tally(limits, SHAPES);
        for (int i = 0; i < parts.size(); i++) {
            Payload part = parts.get(i);
            int before = items.size();
            String source = parts.size() == 1 ? "change" : "part " + (i + 1);
            try {
                items.addAll(reader.readDocuments(part.value(), envelope.format(), source, all));
            } catch (UnreadableTextException e) {
                throw new RejectedChangeException(List.of(e.problem()));
            }
            if (part.origins().length > 0) {
                origins.addAll(Collections.nCopies(before - origins.size(), "")); // for parts without origins
                origins.addAll(origins(part, items.size() - before, source, limits));
            }
        }
        return new Items(items, origins, all);
    }

    private static List<String> origins(Payload part, int documents, String source, Limits limits)
            throws RejectedChangeException {
        List<String> origins = OriginsHeader.read(
                new String(part.origins(), StandardCharsets.UTF_8),
                limits.change().documents());
        if (origins.size() != documents) {
            throw new RejectedChangeException(List.of(Problem.of(
                    ProblemCode.INVALID_CHANGE,
                    "the header origins has %d items, but the %s has %d documents"
                            .formatted(origins.size(), source, documents),
                    "give one text for each document of the record, empty if its origin is unknown")));
        }
        return origins;
    }

    private static RejectedChangeException beyond(String message) {
        return new RejectedChangeException(
                List.of(Problem.of(ProblemCode.LIMIT_EXCEEDED, message, "split it into several changes")));
    }

    private List<Document> documents(
            ChangeEnvelope envelope, List<Payload> parts, Items all, Consumer<Problem> warnings)
            throws RejectedChangeException {
        List<ReadDocument> items = all.read();
        List<Document> documents = new ArrayList<>(items.size());
        Map<DocumentId, Location> seen = new HashMap<>();
        Findings findings = new Findings();
        for (int i = 0; i < items.size(); i++) {
            ReadDocument item = items.get(i);
            try {
                Value tree = unsealing.opened(item.value(), envelope.workspace(), reader, all.tally());
                Document document = envelope.terms().asDeckhand()
                        ? Document.ofDeckhand(tree, all.origin(i))
                        : Document.of(tree, all.origin(i));
                item.warnings().forEach(warning -> warnings.accept(warning.on(document.id())));
                Location first = seen.putIfAbsent(document.id(), item.location());
                if (first == null) {
                    documents.add(document);
                } else {
                    Problem twice = Problem.of(
                            ProblemCode.DUPLICATE_DOCUMENT_EXISTS,
                            document.id(),
                            "occurs twice in this change, first at " + first,
                            "remove one of the two");
                    findings.add(twice.at(item.location()));
                }
            } catch (DocumentFormatException e) {
                for (Problem problem : e.problems(i + 1)) {
                    findings.add(problem.at(item.location()), i);
                }
            }
        }
        if (!findings.paths().isEmpty()) {
            // Lines take memory, so only if a problem needs lines, the text is parsed again. The trees are cleared
            // first, or they would take twice their heap.
            items.clear();
            documents.clear();
            findings.locate(readParts(reader.rememberingLines(findings.paths()), envelope, parts)
                    .read());
        }
        findings.throwIfAny();
        return documents;
    }

    private static List<DocumentId> identities(List<ReadDocument> items) throws RejectedChangeException {
        Set<DocumentId> identities = new LinkedHashSet<>();
        Findings findings = new Findings();
        for (ReadDocument item : items) {
            if (!(item.value() instanceof MapValue map)) {
                findings.invalid(
                        item,
                        "has to be a mapping with schema, layer and name, but is "
                                + item.value().kindWithArticle());
                continue;
            }
            if (!Set.of("schema", "layer", "name").containsAll(map.keys())) {
                findings.invalid(item, "has other keys than schema, layer and name");
            } else if (!(map.get("schema") instanceof Text schema) || !(map.get("name") instanceof Text name)) {
                findings.invalid(item, "needs a schema and a name as text");
            } else if (map.keys().stream().anyMatch(key -> isTooLong(map.get(key)))) {
                findings.invalid(
                        item, "has a schema, layer or name of more than " + DocumentId.LONGEST_PART + " characters");
            } else if (!map.has("layer") || map.get("layer") instanceof Null) {
                identities.add(new DocumentId(schema.value(), "", name.value()));
            } else if (map.get("layer") instanceof Text layer) {
                identities.add(new DocumentId(schema.value(), layer.value(), name.value()));
            } else {
                findings.invalid(item, "has a layer that is not text");
            }
        }
        findings.throwIfAny();
        return List.copyOf(identities);
    }

    private static boolean isTooLong(Value part) {
        return part instanceof Text text && text.value().length() > DocumentId.LONGEST_PART;
    }

    private static Change validation(ChangeEnvelope envelope, List<ReadDocument> items) throws RejectedChangeException {
        ControlBody body = new ControlBody(items, Set.of("revision", "name", "status", "validator", "errors"));
        return new Change.ValidationPut(
                envelope, body.revision(), body.validation(), body.status(), body.validator(), body.errors());
    }

    private static Change tag(ChangeEnvelope envelope, List<ReadDocument> items) throws RejectedChangeException {
        ControlBody body = new ControlBody(items, Set.of("revision", "tag", "data"));
        return new Change.Tag(envelope, body.revision(), body.tag(), body.data());
    }

    private static Change untag(ChangeEnvelope envelope, List<ReadDocument> items) throws RejectedChangeException {
        ControlBody body = new ControlBody(items, Set.of("revision", "tag", "data"));
        body.data();
        return new Change.Untag(envelope, body.revision(), body.tag());
    }

    /* Rejects documents, because their author probably did not intend to delete the workspace. */
    private static Change workspaceDelete(ChangeEnvelope envelope, List<ReadDocument> items)
            throws RejectedChangeException {
        if (!items.isEmpty()) {
            throw new RejectedChangeException(List.of(Problem.of(
                    ProblemCode.INVALID_CHANGE,
                    "the change deletes the whole workspace, but has documents",
                    "to delete only them, use dev.strake.documents.delete")));
        }
        return new Change.WorkspaceDelete(envelope);
    }

    /** The problems of one change; only the first {@link #MOST_LISTED} are listed. */
    private static final class Findings {

        private final List<Problem> problems = new ArrayList<>();
        private final Map<Integer, Integer> documents = new HashMap<>();
        private int unlisted;

        /**
         * Adds a problem whose document is known, but not its line.
         *
         * @param document the position of the document in the change
         */
        void add(Problem problem, int document) {
            if (problem.path() != null && problems.size() < MOST_LISTED) {
                documents.put(problems.size(), document);
            }
            add(problem);
        }

        /** The paths whose lines are still unknown, by the position of their document. */
        Map<Integer, Set<String>> paths() {
            Map<Integer, Set<String>> paths = new HashMap<>();
            documents.forEach((problem, document) -> paths.computeIfAbsent(document, each -> new HashSet<>())
                    .add(problems.get(problem).path()));
            return paths;
        }

        void locate(List<ReadDocument> withLines) {
            documents.forEach((problem, document) ->
                    problems.set(problem, withLines.get(document).locate(problems.get(problem))));
        }

        void add(Problem problem) {
            if (problems.size() < MOST_LISTED) {
                problems.add(problem);
            } else {
                unlisted++;
            }
        }

        void invalid(ReadDocument item, String message) {
            add(Problem.of(ProblemCode.INVALID_CHANGE, "an item of the list " + message, null)
                    .at(item.location()));
        }

        void throwIfAny() throws RejectedChangeException {
            if (unlisted > 0) {
                problems.add(Problem.of(
                        ProblemCode.INVALID_CHANGE,
                        unlisted + " more problems are not listed here",
                        "correct these first"));
            }
            if (!problems.isEmpty()) {
                throw new RejectedChangeException(problems);
            }
        }
    }
}
