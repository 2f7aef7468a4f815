package dev.strake.cli.files;

import dev.strake.engine.document.Document;
import dev.strake.engine.document.DocumentFormatException;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Location;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.serdes.text.Limits;
import dev.strake.topology.apply.AllProcessors;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The documents in files, and all problems of their format, with file and line. A bad document does not hide problems
 * of others. Not thread-safe.
 */
public final class FileDocuments {

    public static final FileDocuments NONE = new FileDocuments(FileTrees.NONE);

    private final FileTrees trees;
    private final List<Document> documents = new ArrayList<>();
    private final Map<DocumentId, FileTrees.Tree> places = new HashMap<>();
    private final List<Problem> problems;
    private final List<Problem> warnings = new ArrayList<>();

    private FileDocuments(FileTrees trees) {
        this.trees = trees;
        this.problems = new ArrayList<>(trees.problems());
        List<Read> read = AllProcessors.ON_DOCUMENTS.each(trees.trees(), Read::of);
        for (int i = 0; i < read.size(); i++) {
            FileTrees.Tree tree = trees.trees().get(i);
            Document document = read.get(i).document;
            tree.read()
                    .warnings()
                    .forEach(warning -> warnings.add(document == null ? warning : warning.on(document.id())));
            read.get(i).problems.forEach(problem -> problems.add(trees.located(problem, tree)));
            if (document != null && trees.isExposed(tree, document)) {
                problems.add(trees.located(exposed(document.id()), tree));
            }
            FileTrees.Tree first = document == null ? null : places.putIfAbsent(document.id(), tree);
            if (first != null) {
                problems.add(twice(document.id(), first).at(tree.read().location()));
            } else if (document != null) {
                documents.add(document);
            }
        }
    }

    /**
     * The result of parsing a tree as a document.
     *
     * @param document null if the tree is not a document
     * @param problems why it is not
     */
    private record Read(Document document, List<Problem> problems) {

        static Read of(FileTrees.Tree tree) {
            try {
                return new Read(Document.of(tree.read().value()), List.of());
            } catch (DocumentFormatException e) {
                return new Read(null, e.problems(tree.index() + 1));
            }
        }
    }

    /**
     * Reads documents. Skips files of other programs in a folder, and reports them.
     *
     * @param paths files, folders, {@code -}
     * @param remarks receives a remark about skipped files
     * @throws java.nio.file.FileSystemException if a path cannot be read
     */
    public static FileDocuments read(List<String> paths, InputStream stdin, Limits limits, Consumer<String> remarks)
            throws IOException {
        return new FileDocuments(FileTrees.read(paths, stdin, limits, remarks));
    }

    /** As {@link #read}, but also reports warnings. */
    public static FileDocuments readAndWarn(
            List<String> paths, InputStream stdin, Limits limits, Consumer<String> remarks) throws IOException {
        FileDocuments files = read(paths, stdin, limits, remarks);
        files.warnings.forEach(warning -> remarks.accept("warning: " + warning.describe()));
        return files;
    }

    private static Problem exposed(DocumentId id) {
        return Problem.of(
                        ProblemCode.INVALID_DOCUMENT_FORMAT,
                        id,
                        "is encrypted with SOPS but lacks storagePolicy: encrypted, so its data would be published in "
                                + "clear text",
                        "set storagePolicy: encrypted, or move the document out of the encrypted file")
                .at(".metadata.storagePolicy");
    }

    private static Problem twice(DocumentId id, FileTrees.Tree first) {
        return Problem.of(
                ProblemCode.DUPLICATE_DOCUMENT_EXISTS,
                id,
                "occurs twice, first at " + first.read().location(),
                "remove one of the two");
    }

    /** The valid documents in the order of the files, without duplicates. */
    public List<Document> documents() {
        return documents;
    }

    /** The number of invalid documents, duplicates and unreadable files. A file counts once. */
    public int unusable() {
        return trees.problems().size() + trees.trees().size() - documents.size();
    }

    /** The problems of the unusable documents and files. */
    public List<Problem> problems() {
        return problems;
    }

    /** Warnings about duplicate keys. */
    public List<Problem> warnings() {
        return warnings;
    }

    /**
     * Returns the location of each document, such as {@code sites/a/db.yaml:12}. In a git work tree, its path is
     * relative to the top of the tree. {@code @commit} follows if a commit contains the unmodified file.
     */
    public List<String> origins() throws IOException {
        List<Location> locations = documents.stream()
                .map(document -> places.get(document.id()).read().location())
                .toList();
        Set<String> sources = locations.stream()
                .map(Location::source)
                .filter(source -> !source.equals(SourceFiles.STDIN))
                .collect(Collectors.toSet());
        CommittedFiles git = new CommittedFiles(sources);
        return locations.stream()
                .map(location -> origin(location, git.of(location.source())))
                .toList();
    }

    private static String origin(Location location, CommittedFiles.Known known) {
        String origin = (known == null ? location.source() : known.path()) + ":" + location.line();
        return known == null || known.commit() == null ? origin : origin + "@" + known.commit();
    }

    /** Returns the location of a path in a document, or of its nearest ancestor. */
    public Location locate(DocumentId id, String path) {
        return trees.locate(places.get(id), path);
    }

    /**
     * Adds to a problem the location where authors have to correct it: that of its path, or of the document if its text
     * lacks the data at the path. Returns problems of other documents unchanged.
     */
    public Problem located(Problem problem) {
        FileTrees.Tree tree = problem.document() == null ? null : places.get(problem.documentOfPath());
        if (tree == null) {
            return problem;
        }
        String path = problem.path();
        boolean isData = path != null && path.startsWith(".data");
        // Data that is missing here came from elsewhere, and nothing here is to blame for it.
        return isData && !trees.withPlaces(tree).places().containsKey(path)
                ? problem.at(tree.read().location())
                : trees.located(problem, tree);
    }
}
