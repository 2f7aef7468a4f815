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
 * The trees of files, not yet parsed as documents.
 *
 * <p>Reads files without line numbers, which take far more memory than the documents. Reads a file again when the line
 * number of something in it is needed. Not thread-safe.
 */
public final class FileTrees {

    /** Two files are worth another thread, because parsing one takes some milliseconds. */
    private static final Workers WORKERS = new AllProcessors(2);

    static final FileTrees NONE = new FileTrees(Map.of(), Limits.DEFAULT);

    /** The number of skipped files that a remark names. */
    private static final int MOST_SHOWN = 3;

    private final DocumentReader reader;
    private final Map<String, SourceFiles.Source> sources;
    private final Map<String, List<ReadDocument>> withPlaces = new HashMap<>();
    private final List<Tree> items = new ArrayList<>();
    private final List<Problem> problems = new ArrayList<>();
    private final List<String> passedOver = new ArrayList<>();

    /** The trees of SOPS files before their decryption; empty if a file cannot be parsed. */
    private final Map<String, List<ReadDocument>> encrypted = new HashMap<>();

    /**
     * One tree of a file.
     *
     * @param index position in its file, from 0
     */
    record Tree(ReadDocument read, int index) {}

    /**
     * The content of one file.
     *
     * @param problem why the file cannot be parsed, or null
     */
    private record FromFile(Map.Entry<String, SourceFiles.Source> source, List<ReadDocument> read, Problem problem) {}

    private FileTrees(Map<String, SourceFiles.Source> sources, Limits limits) {
        this.sources = sources;
        this.reader = new DocumentReader(limits);
        WORKERS.each(List.copyOf(sources.entrySet()), this::read).forEach(this::add);
    }

    /** Reads all trees of files. Splits lists at the top level into their items. */
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
                    "skipped %d %s without documents, nothing in them has a schema: %s%s (to silence this, list them in %s)"
                            .formatted(
                                    trees.passedOver.size(),
                                    trees.passedOver.size() == 1 ? "file" : "files",
                                    String.join(", ", trees.passedOver.subList(0, shown)),
                                    shown < trees.passedOver.size() ? ", …" : "",
                                    IgnoreFile.NAME));
        }
        return trees;
    }

    /* Called by several threads. */
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

    /* Whether the author may have meant a document, perhaps with a mistake in it. */
    private static boolean isMeant(Value value) {
        return value instanceof MapValue map
                && (map.has("schema") || (map.has("metadata") && !Document.isKubernetesObject(map)));
    }

    /* Decryption does not change the positions of documents in a file. */
    private void addEncrypted(String source, byte[] text) {
        try {
            encrypted.put(source, reader.readDocuments(text, TextFormat.DETECTED, source));
        } catch (UnreadableTextException e) {
            encrypted.put(source, List.of());
        }
    }

    /* Whether the author encrypted the data of a document, but the document would be published in clear text. */
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

    /** The values of all trees, in the order of the files. */
    public List<Value> items() {
        return items.stream().map(item -> item.read.value()).toList();
    }

    /** The problems of files that cannot be parsed. */
    public List<Problem> problems() {
        return problems;
    }

    /** Warnings, which do not hold documents back. */
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

    /* Replaces SOPS texts by clear texts, and collects the originals. Removes texts that cannot be decrypted. */
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
