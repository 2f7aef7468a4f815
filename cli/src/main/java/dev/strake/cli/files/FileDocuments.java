package dev.strake.cli.files;

import dev.strake.engine.document.Document;
import dev.strake.engine.document.DocumentFormatException;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.serdes.text.DocumentReader;
import dev.strake.serdes.text.Limits;
import dev.strake.serdes.text.ReadDocument;
import dev.strake.serdes.text.TextFormat;
import dev.strake.serdes.text.UnreadableTextException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The documents in some files, and all that is wrong with them as documents, each problem with its file and line. One
 * bad document hides nothing of what the others have to say.
 *
 * @param documents valid ones in the order of the files, no identity twice
 * @param places where each of them stands
 * @param problems why the rest are none
 */
public record FileDocuments(List<Document> documents, Map<DocumentId, ReadDocument> places, List<Problem> problems) {

    /** The trees of some files before anybody looks whether they are documents. */
    public record Trees(List<ReadDocument> items, List<Problem> problems) {}

    /**
     * Reads documents.
     *
     * @param paths files, folders, {@code -}
     * @throws java.nio.file.FileSystemException if one of them cannot be read
     */
    public static FileDocuments read(List<String> paths, InputStream stdin, Limits limits) throws IOException {
        return of(readTrees(paths, stdin, limits));
    }

    /** Reads what stands in files, whatever it means; lists at the top are taken apart into their items. */
    public static Trees readTrees(List<String> paths, InputStream stdin, Limits limits) throws IOException {
        DocumentReader reader = new DocumentReader(limits).rememberingLines();
        List<ReadDocument> items = new ArrayList<>();
        List<Problem> problems = new ArrayList<>();
        for (Map.Entry<String, byte[]> source :
                SourceFiles.read(paths, stdin, limits.changeBytes()).entrySet()) {
            try {
                items.addAll(reader.readDocuments(source.getValue(), TextFormat.DETECTED, source.getKey()));
            } catch (UnreadableTextException e) {
                problems.add(e.problem());
            }
        }
        return new Trees(items, problems);
    }

    private static FileDocuments of(Trees trees) {
        List<Document> documents = new ArrayList<>();
        Map<DocumentId, ReadDocument> places = new HashMap<>();
        List<Problem> problems = new ArrayList<>(trees.problems());
        for (ReadDocument item : trees.items()) {
            try {
                Document document = Document.of(item.value());
                ReadDocument first = places.putIfAbsent(document.id(), item);
                if (first == null) {
                    documents.add(document);
                } else {
                    problems.add(twice(document.id(), first).at(item.location()));
                }
            } catch (DocumentFormatException e) {
                e.problems().forEach(problem -> problems.add(item.locate(problem)));
            }
        }
        return new FileDocuments(documents, places, problems);
    }

    private static Problem twice(DocumentId id, ReadDocument first) {
        return Problem.of(
                ProblemCode.DUPLICATE_DOCUMENT_EXISTS,
                id,
                "is there twice, first at " + first.location(),
                "keep one of the two");
    }

    /** A problem of one of these documents with the place where it stands; other problems as they are. */
    public Problem located(Problem problem) {
        ReadDocument place = problem.document() == null ? null : places.get(problem.document());
        return place == null ? problem : place.locate(problem);
    }
}
