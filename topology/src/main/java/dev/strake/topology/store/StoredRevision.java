package dev.strake.topology.store;

import dev.strake.engine.graph.Facts;
import dev.strake.engine.graph.OpenedGraph;
import dev.strake.engine.graph.ParentDecision;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.topology.layout.DocumentsLayout;
import dev.strake.topology.layout.RenderedLayout;
import dev.strake.topology.layout.RenderedLayout.DerivedRecord;
import dev.strake.topology.layout.RenderedLayout.Rendering;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Bytes;

/**
 * A revision, read from the stores document by document, while the stream writes later ones. Results are in the order
 * of the stores: by schema, layer and name, each with shorter texts first. Streams must be closed.
 *
 * <p>All results belong to this revision. If it is pruned meanwhile, later calls fail with a
 * {@link RevisionGoneException}; open streams continue to their end. A {@linkplain RevisionLeases lease} keeps the
 * revision from being pruned.
 */
public final class StoredRevision {

    private final StateReader state;
    private final String workspace;
    private final long number;

    /**
     * An entry of a document.
     *
     * @param since the revision that wrote the entry
     */
    public record Read<T>(DocumentId id, T entry, long since) {}

    /** A document with its rendering. */
    public record Rendered(DocumentId id, DocumentsLayout.Entry document, Rendering rendering) {}

    public StoredRevision(StateReader state, String workspace, long number) {
        this.state = state;
        this.workspace = workspace;
        this.number = number;
    }

    /**
     * The documents as published.
     *
     * @param after the document after which to start; null to start at the first one
     */
    public Stream<Read<DocumentsLayout.Entry>> documents(DocumentId after) {
        return documents(after, id -> true);
    }

    /**
     * Some of the documents as published.
     *
     * @param wanted selects documents; others are not parsed
     */
    public Stream<Read<DocumentsLayout.Entry>> documents(DocumentId after, Predicate<DocumentId> wanted) {
        return number == 0
                ? Stream.empty()
                : read(
                        state.documentsAsOf(workspace, number, after),
                        DocumentsLayout::document,
                        wanted,
                        entry -> DocumentsLayout.read(state.keys(), entry.key(), entry.value()),
                        entry -> !entry.isRemoved());
    }

    /** The renderings of all documents, including those in trouble. */
    public Stream<Read<Rendering>> renderings(DocumentId after) {
        return number == 0
                ? Stream.empty()
                : read(
                        state.renderingsAsOf(workspace, number, after),
                        RenderedLayout::document,
                        id -> true,
                        entry -> RenderedLayout.read(state.keys(), entry.key(), entry.value()),
                        entry -> !entry.removed());
    }

    /** A derived document: its schema and name, and its record with the owner. */
    public record ReadDerived(DocumentKey key, DerivedRecord record) {}

    /**
     * The derived documents, without those in trouble.
     *
     * @param after the document after which to start; null to start at the first one
     */
    public Stream<ReadDerived> derivedDocuments(DocumentKey after) {
        if (number == 0) {
            return Stream.empty();
        }
        AsOf entries = state.derivedAsOf(workspace, number, after);
        return Search.stream(entries)
                .map(entry -> new ReadDerived(
                        RenderedLayout.derived(entry.key()),
                        RenderedLayout.readDerived(state.keys(), entry.key(), entry.value())))
                .filter(each -> each.record().isThere())
                .onClose(entries::close);
    }

    private static <T> Stream<Read<T>> read(
            AsOf entries,
            Function<byte[], DocumentId> id,
            Predicate<DocumentId> wanted,
            Function<AsOf.Entry, T> reader,
            Predicate<T> isThere) {
        return Search.stream(entries)
                .filter(entry -> wanted.test(id.apply(entry.key())))
                .map(entry ->
                        new Read<>(id.apply(entry.key()), reader.apply(entry), DocumentsLayout.revision(entry.key())))
                .filter(read -> isThere.test(read.entry()))
                .onClose(entries::close);
    }

    /** Whether the stores have the given number of documents, and as many renderings. */
    public boolean has(int count) {
        try (Stream<?> documents = documents(null);
                Stream<?> renderings = renderings(null)) {
            return documents.count() == count && renderings.count() == count;
        }
    }

    /**
     * Some of the documents of the rendered set that are not in trouble.
     *
     * @param wanted selects documents; others are not parsed
     */
    public Stream<Rendered> inOrder(DocumentId after, Predicate<DocumentId> wanted) {
        return rendered(after, wanted, Rendering::isInOrder);
    }

    /** As {@link #inOrder}, including documents that are in trouble only because a key was lost after this revision. */
    public Stream<Rendered> inRenderedSet(DocumentId after, Predicate<DocumentId> wanted) {
        return rendered(after, wanted, Rendering::inRenderedSet);
    }

    private Stream<Rendered> rendered(DocumentId after, Predicate<DocumentId> wanted, Predicate<Rendering> isShown) {
        if (number == 0) {
            return Stream.empty();
        }
        AsOf renderings = state.renderingsAsOf(workspace, number, after);
        AsOf documents;
        try {
            documents = state.documentsAsOf(workspace, number, after);
        } catch (RuntimeException | Error e) {
            renderings.close();
            throw e;
        }
        return Search.stream(joined(renderings, documents, wanted, isShown))
                .filter(each -> !each.document().isRemoved())
                .onClose(renderings::close)
                .onClose(documents::close);
    }

    /* Joins both, which are in the same order. Only selected documents are parsed. */
    private Iterator<Rendered> joined(
            AsOf renderings, AsOf documents, Predicate<DocumentId> wanted, Predicate<Rendering> isShown) {
        return Search.stream(renderings)
                .filter(entry -> wanted.test(RenderedLayout.document(entry.key())))
                .map(entry -> {
                    Rendering rendering = RenderedLayout.read(state.keys(), entry.key(), entry.value());
                    AsOf.Entry document = isShown.test(rendering) ? at(documents, entry.identity()) : null;
                    return new Rendered(
                            RenderedLayout.document(entry.key()),
                            document == null
                                    ? DocumentsLayout.Entry.REMOVED
                                    : DocumentsLayout.read(state.keys(), document.key(), document.value()),
                            rendering);
                })
                .iterator();
    }

    private static AsOf.Entry at(AsOf documents, Bytes identity) {
        while (documents.hasNext()) {
            AsOf.Entry entry = documents.next();
            int order = entry.identity().compareTo(identity);
            if (order >= 0) {
                return order == 0 ? entry : null;
            }
        }
        return null;
    }

    /** The rendered data of all documents without trouble, derived on request. */
    public DerivedRevision derived() {
        Map<DocumentId, Facts> facts = new LinkedHashMap<>();
        try (Stream<Read<DocumentsLayout.Entry>> documents = documents(null)) {
            documents.forEach(read -> facts.put(
                    read.id(),
                    Facts.of(read.entry().document(), read.entry().bucket())
                            .since(read.entry().since())));
        }
        return new DerivedRevision(OpenedGraph.of(facts, this::decision), state, workspace, number);
    }

    /* The reason for a missing parent does not matter here, because documents in trouble are not rendered. */
    private ParentDecision decision(DocumentId id) {
        DocumentId parent = state.parentAsOf(workspace, id, number);
        if (!state.history().isWhole(workspace, number)) { // earlier reads may be of another revision
            throw new RevisionGoneException(number);
        }
        return new ParentDecision(parent, null);
    }
}
