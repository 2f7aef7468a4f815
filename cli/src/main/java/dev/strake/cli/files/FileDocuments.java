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
 * The documents in some files, and all that is wrong with them as documents, each problem with its file and line. One
 * bad document hides nothing of what the others have to say. Not for concurrent use.
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
     * What a tree is.
     *
     * @param document null if it is none
     * @param problems why it is none
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
     * Reads documents. A folder may also hold files of other programs; these are passed over, and that is told.
     *
     * @param paths files, folders, {@code -}
     * @param remarks hears what was passed over
     * @throws java.nio.file.FileSystemException if one of them cannot be read
     */
    public static FileDocuments read(List<String> paths, InputStream stdin, Limits limits, Consumer<String> remarks)
            throws IOException {
        return new FileDocuments(FileTrees.read(paths, stdin, limits, remarks));
    }

    /** The same, and tells the warnings, too. */
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
                        "is encrypted with SOPS, and does not say storagePolicy: encrypted: its data would come out in"
                                + " clear text",
                        "say encrypted, or take the document out of the encrypted file")
                .at(".metadata.storagePolicy");
    }

    private static Problem twice(DocumentId id, FileTrees.Tree first) {
        return Problem.of(
                ProblemCode.DUPLICATE_DOCUMENT_EXISTS,
                id,
                "is there twice, first at " + first.read().location(),
                "keep one of the two");
    }

    /** The valid documents in the order of the files, no identity twice. */
    public List<Document> documents() {
        return documents;
    }

    /** How many are none: they or their files cannot be read, or they are there twice. A file counts once. */
    public int unusable() {
        return trees.problems().size() + trees.trees().size() - documents.size();
    }

    /** Why the rest are none. */
    public List<Problem> problems() {
        return problems;
    }

    /** Keys that stand twice. */
    public List<Problem> warnings() {
        return warnings;
    }

    /**
     * Where each of the documents begins: {@code sites/a/db.yaml:12}, with {@code @commit} behind it if a git commit has the file
     * as it is. In a git work tree the path is that from the top of the tree.
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

    /** Where a path of one of these documents stands, or the nearest place above it. */
    public Location locate(DocumentId id, String path) {
        return trees.locate(places.get(id), path);
    }

    /**
     * A problem of one of these documents with the place of what has to be mended: of its path, or of the document if the path
     * leads to data that the document does not have in its text. Other problems as they are.
     */
    public Problem located(Problem problem) {
        FileTrees.Tree tree = problem.document() == null ? null : places.get(problem.documentOfPath());
        if (tree == null) {
            return problem;
        }
        String path = problem.path();
        boolean isData = path != null && path.startsWith(".data");
        // Data that is not there came from elsewhere, and nothing that is there is to blame for it.
        return isData && !trees.withPlaces(tree).places().containsKey(path)
                ? problem.at(tree.read().location())
                : trees.located(problem, tree);
    }
}
