package dev.strake.cli.files;

import dev.strake.engine.document.Document;
import dev.strake.engine.problem.Location;
import dev.strake.engine.problem.Problem;
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
import java.util.function.Consumer;

/**
 * The trees of some files before anybody looks whether they are documents.
 *
 * <p>Lines are not remembered while files are read: all of them together take far more memory than the documents. A file is
 * read a second time when somebody wants to know a line in it. Not for concurrent use.
 */
public final class FileTrees {

    /** A file takes some milliseconds. */
    private static final Workers WORKERS = new AllProcessors(2);

    static final FileTrees NONE = new FileTrees(Map.of(), Limits.DEFAULT);

    /** Files that are passed over and named. */
    private static final int MOST_SHOWN = 3;

    private final DocumentReader reader;
    private final Map<String, SourceFiles.Source> sources;
    private final Map<String, List<ReadDocument>> withPlaces = new HashMap<>();
    private final List<Tree> items = new ArrayList<>();
    private final List<Problem> problems = new ArrayList<>();
    private final List<String> passedOver = new ArrayList<>();

    /** The trees of texts that were encrypted, as they were then: only where there are as many. */
    private final Map<String, List<ReadDocument>> encrypted = new HashMap<>();

    /**
     * What stands at one place of a file.
     *
     * @param index position in its file, counted from 0
     */
    record Tree(ReadDocument read, int index) {}

    /**
     * What one file holds.
     *
     * @param problem why it cannot be read, or null
     */
    private record FromFile(Map.Entry<String, SourceFiles.Source> source, List<ReadDocument> read, Problem problem) {}

    private FileTrees(Map<String, SourceFiles.Source> sources, Limits limits) {
        this.sources = sources;
        this.reader = new DocumentReader(limits);
        WORKERS.each(List.copyOf(sources.entrySet()), this::read).forEach(this::add);
    }

    /** Reads what stands in files, whatever it means; lists at the top are taken apart into their items. */
    public static FileTrees read(List<String> paths, InputStream stdin, Limits limits, Consumer<String> remarks)
            throws IOException {
        Map<String, SourceFiles.Source> sources =
                SourceFiles.read(paths, stdin, limits.change().bytes());
        Map<String, byte[]> encrypted = new LinkedHashMap<>();
        List<Problem> problems = decrypt(sources, encrypted);
        FileTrees trees = new FileTrees(sources, limits);
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
    boolean isExposed(Tree tree, Document document) {
        List<ReadDocument> before = encrypted.get(tree.read.location().source());
        return before != null
                && !document.isEncrypted()
                && (tree.index >= before.size()
                        || (before.get(tree.index).value() instanceof MapValue map
                                && map.has("data")
                                && SopsProgram.hasEncrypted(map.get("data"))));
    }

    List<Tree> trees() {
        return items;
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

    ReadDocument withPlaces(Tree tree) {
        String source = tree.read.location().source();
        return withPlaces.computeIfAbsent(source, this::readAgain).get(tree.index);
    }

    Location locate(Tree tree, String path) {
        return withPlaces(tree).locate(path);
    }

    Problem located(Problem problem, Tree tree) {
        return problem.at(locate(tree, problem.path()));
    }

    private List<ReadDocument> readAgain(String source) {
        try {
            return reader.rememberingLines().readDocuments(sources.get(source).text(), TextFormat.DETECTED, source);
        } catch (UnreadableTextException e) {
            throw new IllegalStateException("it could be read before", e);
        }
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
}
