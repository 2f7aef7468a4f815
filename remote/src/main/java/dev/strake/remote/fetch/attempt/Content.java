package dev.strake.remote.fetch.attempt;

import dev.strake.engine.document.Document;
import dev.strake.engine.document.DocumentFormatException;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Location;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.tree.Hasher;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import dev.strake.remote.fetch.policy.FetchException;
import dev.strake.remote.fetch.policy.FetchException.Code;
import dev.strake.remote.fetch.source.Fetched;
import dev.strake.remote.object.InvalidPatchException;
import dev.strake.remote.object.ObjectDocument;
import dev.strake.serdes.text.DocumentReader;
import dev.strake.serdes.text.Limits;
import dev.strake.serdes.text.ReadDocument;
import dev.strake.serdes.text.Tally;
import dev.strake.serdes.text.TextFormat;
import dev.strake.serdes.text.UnreadableTextException;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The documents of a resource, from all its requests.
 *
 * @param documents the documents by identity
 */
record Content(SortedMap<DocumentId, Document> documents) {

    /* The service limits the size of documents. */
    private static final Limits LIMITS = Limits.DEFAULT.ofOneDocument();

    /**
     * Reads the documents in files. Documents are taken as they are; Kubernetes objects are converted, also in lists.
     *
     * @param layer the layer of documents that are made from objects
     * @throws FetchException if a file contains anything else, or a document occurs twice
     */
    static Content of(List<Fetched> all, String layer) throws FetchException {
        SortedMap<DocumentId, Document> documents = new TreeMap<>();
        Tally tally = new Tally(LIMITS);
        DocumentReader reader = new DocumentReader(LIMITS);
        for (Fetched fetched : all) {
            for (Fetched.File file : fetched.files()) {
                for (ReadDocument read : read(reader, file, tally)) {
                    for (Value tree : ObjectDocument.unfolded(read.value())) {
                        Document document = document(tree, layer, read.location(), fetched.revision());
                        Document other = documents.putIfAbsent(document.id(), document);
                        if (other != null) {
                            throw new FetchException(
                                    Code.CONTENT,
                                    "%s appears twice: at %s and at %s"
                                            .formatted(
                                                    document.id(),
                                                    other.origin().orElse("?"),
                                                    document.origin().orElse("?")));
                        }
                    }
                }
            }
        }
        return new Content(documents);
    }

    private static List<ReadDocument> read(DocumentReader reader, Fetched.File file, Tally tally)
            throws FetchException {
        try {
            return reader.readDocuments(file.content(), TextFormat.DETECTED, file.name(), tally);
        } catch (UnreadableTextException e) {
            throw unreadable(e.problem(), e.problem().location());
        }
    }

    private static Document document(Value tree, String layer, Location location, String revision)
            throws FetchException {
        String place = location.source() + ":" + location.line();
        boolean isObject = Document.isKubernetesObject(tree) && !((MapValue) tree).has("schema");
        if (!isObject && !(tree instanceof MapValue map && map.has("schema"))) {
            // for example a login page; its text, even its keys, may be secret
            throw new FetchException(Code.CONTENT, place + ": this is neither a document nor a Kubernetes object");
        }
        try {
            Value document = isObject ? ObjectDocument.of((MapValue) tree, layer) : tree;
            return Document.of(document, place + (revision.matches("[0-9a-f]{40}") ? "@" + revision : ""));
        } catch (InvalidPatchException e) {
            throw new FetchException(Code.CONTENT, place + ": " + e.getMessage());
        } catch (DocumentFormatException e) {
            throw unreadable(e.problems().get(0), location);
        }
    }

    private static FetchException unreadable(Problem problem, Location location) {
        String place = location == null ? "" : location.source() + ":" + location.line() + ": ";
        String path = problem.path() == null ? "" : problem.path() + " ";
        return new FetchException(Code.CONTENT, place + path + problem.message());
    }

    /** Returns a hash of the documents that does not depend on the order of documents and files. */
    String hash() {
        return hash(documents.values());
    }

    /** Returns a hash of some documents, which are sorted by identity. */
    static String hash(Collection<Document> sorted) {
        StringBuilder hashes = new StringBuilder();
        sorted.forEach(document ->
                hashes.append(Hasher.hex(JsonBytes.of(document.tree()))).append('\n'));
        return Hasher.hex(hashes.toString());
    }
}
