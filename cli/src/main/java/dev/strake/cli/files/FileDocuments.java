package dev.strake.cli.files;

import dev.strake.engine.document.Document;
import dev.strake.engine.document.DocumentFormatException;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Location;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.render.Workers;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.text.DocumentReader;
import dev.strake.serdes.text.Limits;
import dev.strake.serdes.text.ReadDocument;
import dev.strake.serdes.text.TextFormat;
import dev.strake.serdes.text.UnreadableTextException;
import dev.strake.topology.apply.AllProcessors;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The documents in some files, and all that is wrong with them as documents, each problem with its file and line. One
 * bad document hides nothing of what the others have to say.
 *
 * <p>Lines are not remembered while files are read: all of them together take far more memory than the documents. A file is
 * read a second time when somebody wants to know a line in it. Not for concurrent use.
 */
public final class FileDocuments {

    /** A file takes some milliseconds. */
    private static final Workers WORKERS = new AllProcessors(2);

    public static final FileDocuments NONE = new FileDocuments(new Trees(Map.of(), Limits.DEFAULT));

    /** Files that are passed over and named. */
    private static final int MOST_SHOWN = 3;

    private final Trees trees;
    private final List<Document> documents = new ArrayList<>();
    private final Map<DocumentId, Tree> places = new HashMap<>();
    private final List<Problem> problems;
    private final List<Problem> warnings = new ArrayList<>();

    private FileDocuments(Trees trees) {
        this.trees = trees;
        this.problems = new ArrayList<>(trees.problems);
        List<Read> read = AllProcessors.ON_DOCUMENTS.each(trees.items, Read::of);
        for (int i = 0; i < read.size(); i++) {
            Tree tree = trees.items.get(i);
            Document document = read.get(i).document;
            tree.read
                    .warnings()
                    .forEach(warning -> warnings.add(document == null ? warning : warning.on(document.id())));
            read.get(i).problems.forEach(problem -> problems.add(trees.located(problem, tree)));
            if (document != null && trees.isExposed(tree, document)) {
                problems.add(trees.located(exposed(document.id()), tree));
            }
            Tree first = document == null ? null : places.putIfAbsent(document.id(), tree);
            if (first != null) {
                problems.add(twice(document.id(), first).at(tree.read.location()));
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

        static Read of(Tree tree) {
            try {
                return new Read(Document.of(tree.read.value()), List.of());
            } catch (DocumentFormatException e) {
                return new Read(null, e.problems(tree.index + 1));
            }
        }
    }

    /**
     * What stands at one place of a file.
     *
     * @param index position in its file, counted from 0
     */
    private record Tree(ReadDocument read, int index) {}

    /**
     * What one file holds.
     *
     * @param problem why it cannot be read, or null
     */
    private record FromFile(Map.Entry<String, SourceFiles.Source> source, List<ReadDocument> read, Problem problem) {}

    /** The trees of some files before anybody looks whether they are documents. */
    public static final class Trees {

        private final DocumentReader reader;
        private final Map<String, SourceFiles.Source> sources;
        private final Map<String, List<ReadDocument>> withPlaces = new HashMap<>();
        private final List<Tree> items = new ArrayList<>();
        private final List<Problem> problems = new ArrayList<>();
        private final List<String> passedOver = new ArrayList<>();

        /** The trees of texts that were encrypted, as they were then: only where there are as many. */
        private final Map<String, List<ReadDocument>> encrypted = new HashMap<>();

        private Trees(Map<String, SourceFiles.Source> sources, Limits limits) {
            this.sources = sources;
            this.reader = new DocumentReader(limits);
            WORKERS.each(List.copyOf(sources.entrySet()), this::read).forEach(this::add);
        }

        /* Several threads call this. */
        private FromFile read(Map.Entry<String, SourceFiles.Source> source) {
            try {
                byte[] text = source.getValue().text();
                return new FromFile(source, reader.readDocuments(text, TextFormat.DETECTED, source.getKey()), null);
            } catch (UnreadableTextException e) {
                return new FromFile(source, List.of(), e.problem());
            }
        }

        private void add(FromFile file) {
            String source = file.source.getKey();
            boolean isNamed = file.source.getValue().isNamed();
            if (!isNamed && !file.read.isEmpty() && file.read.stream().noneMatch(each -> isMeant(each.value()))) {
                String name = Location.inOneLine(source);
                passedOver.add(
                        Document.isKubernetesObject(file.read.get(0).value()) ? name + " (a Kubernetes object)" : name);
                return;
            }
            for (int i = 0; i < file.read.size(); i++) {
                items.add(new Tree(file.read.get(i), i));
            }
            if (file.problem != null) {
                problems.add(file.problem);
            }
        }

        /* Whether somebody may have meant a document by it, perhaps with a mistake in it. */
        private static boolean isMeant(Value value) {
            return value instanceof MapValue map
                    && (map.has("schema") || (map.has("metadata") && !Document.isKubernetesObject(map)));
        }

        /* Documents that a text has before and after it is decrypted are the same ones. */
        private void addEncrypted(String source, byte[] text) {
            try {
                encrypted.put(source, reader.readDocuments(text, TextFormat.DETECTED, source));
            } catch (UnreadableTextException e) {
                encrypted.put(source, List.of());
            }
        }

        /* Whether somebody encrypted the data of a document that would be published in clear text. */
        private boolean isExposed(Tree tree, Document document) {
            List<ReadDocument> before = encrypted.get(tree.read.location().source());
            return before != null
                    && !document.isEncrypted()
                    && (tree.index >= before.size()
                            || (before.get(tree.index).value() instanceof MapValue map
                                    && map.has("data")
                                    && SopsProgram.hasEncrypted(map.get("data"))));
        }

        /** What stands in the files, in their order. */
        public List<Value> items() {
            return items.stream().map(item -> item.read.value()).toList();
        }

        /** Why some files cannot be read. */
        public List<Problem> problems() {
            return problems;
        }

        /** What is odd about them, and holds nothing back. */
        public List<Problem> warnings() {
            return items.stream().flatMap(item -> item.read.warnings().stream()).toList();
        }

        private ReadDocument withPlaces(Tree tree) {
            String source = tree.read.location().source();
            return withPlaces.computeIfAbsent(source, this::readAgain).get(tree.index);
        }

        private Location locate(Tree tree, String path) {
            return withPlaces(tree).locate(path);
        }

        private Problem located(Problem problem, Tree tree) {
            return problem.at(locate(tree, problem.path()));
        }

        private List<ReadDocument> readAgain(String source) {
            try {
                return reader.rememberingLines()
                        .readDocuments(sources.get(source).text(), TextFormat.DETECTED, source);
            } catch (UnreadableTextException e) {
                throw new IllegalStateException("it could be read before", e);
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
        return new FileDocuments(readTrees(paths, stdin, limits, remarks));
    }

    /** The same, and tells the warnings, too. */
    public static FileDocuments readAndWarn(
            List<String> paths, InputStream stdin, Limits limits, Consumer<String> remarks) throws IOException {
        FileDocuments files = read(paths, stdin, limits, remarks);
        files.warnings.forEach(warning -> remarks.accept("warning: " + warning.describe()));
        return files;
    }

    /** Reads what stands in files, whatever it means; lists at the top are taken apart into their items. */
    public static Trees readTrees(List<String> paths, InputStream stdin, Limits limits, Consumer<String> remarks)
            throws IOException {
        Map<String, SourceFiles.Source> sources =
                SourceFiles.read(paths, stdin, limits.change().bytes());
        Map<String, byte[]> encrypted = new LinkedHashMap<>();
        List<Problem> problems = decrypt(sources, encrypted);
        Trees trees = new Trees(sources, limits);
        trees.problems.addAll(problems);
        encrypted.forEach(trees::addEncrypted);
        if (!trees.passedOver.isEmpty()) {
            int shown = Math.min(MOST_SHOWN, trees.passedOver.size());
            remarks.accept(
                    "passed over %d %s without documents, nothing in them has a schema: %s%s (to say nothing, list them in %s)"
                            .formatted(
                                    trees.passedOver.size(),
                                    trees.passedOver.size() == 1 ? "file" : "files",
                                    String.join(", ", trees.passedOver.subList(0, shown)),
                                    shown < trees.passedOver.size() ? ", …" : "",
                                    IgnoreFile.NAME));
        }
        return trees;
    }

    /* Puts clear texts in the place of those that SOPS encrypted, which are told; those that do not decrypt are left out. */
    private static List<Problem> decrypt(Map<String, SourceFiles.Source> sources, Map<String, byte[]> encrypted) {
        List<Problem> problems = new ArrayList<>();
        for (Map.Entry<String, SourceFiles.Source> each : List.copyOf(sources.entrySet())) {
            byte[] text = each.getValue().text();
            if (SopsProgram.isEncrypted(text)) {
                try {
                    byte[] clear = SopsProgram.ON_PATH.decrypted(text, each.getKey());
                    sources.put(
                            each.getKey(),
                            new SourceFiles.Source(clear, each.getValue().isNamed()));
                    encrypted.put(each.getKey(), text);
                } catch (SopsProgram.UndecryptedException e) {
                    sources.remove(each.getKey());
                    problems.add(e.problem());
                }
            }
        }
        return problems;
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

    private static Problem twice(DocumentId id, Tree first) {
        return Problem.of(
                ProblemCode.DUPLICATE_DOCUMENT_EXISTS,
                id,
                "is there twice, first at " + first.read.location(),
                "keep one of the two");
    }

    /** The valid documents in the order of the files, no identity twice. */
    public List<Document> documents() {
        return documents;
    }

    /** How many are none: they or their files cannot be read, or they are there twice. A file counts once. */
    public int unusable() {
        return trees.problems.size() + trees.items.size() - documents.size();
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
                .map(document -> places.get(document.id()).read.location())
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
        Tree tree = problem.document() == null ? null : places.get(problem.documentOfPath());
        if (tree == null) {
            return problem;
        }
        String path = problem.path();
        boolean isData = path != null && path.startsWith(".data");
        // Data that is not there came from elsewhere, and nothing that is there is to blame for it.
        return isData && !trees.withPlaces(tree).places().containsKey(path)
                ? problem.at(tree.read.location())
                : trees.located(problem, tree);
    }
}
