package dev.strake.topology.query;

import dev.strake.engine.document.Document;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.render.DerivedContents.LockedException;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.MapValue;
import dev.strake.topology.layout.DocumentsLayout;
import dev.strake.topology.store.DerivedRevision;
import dev.strake.topology.store.StoredRevision;
import dev.strake.topology.store.StoredRevision.ReadDerived;
import dev.strake.topology.store.StoredRevision.Rendered;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The rendered documents of a revision, for callers that need all of them: reading fails if a key is missing. Documents
 * in trouble are left out, so callers have to check its {@linkplain WorkspaceQueries#problems problems} first.
 */
public final class RenderedWhole {

    private final StoredRevision stored;
    private final DerivedRevision derived;
    private final Function<DocumentId, DocumentsLayout.Entry> published;

    /** @param published finds a document of the revision as published */
    RenderedWhole(
            StoredRevision stored, DerivedRevision derived, Function<DocumentId, DocumentsLayout.Entry> published) {
        this.stored = stored;
        this.derived = derived;
        this.published = published;
    }

    /**
     * A rendered document.
     *
     * @param published the document, or its owner if it is derived, as published
     * @param record hash of the rendered document
     * @param content renders the document; fails with a {@link LockedException} if a key is missing
     */
    public record Item(
            DocumentId id, DocumentsLayout.Entry published, Fingerprint record, Supplier<MapValue> content) {}

    /**
     * The rendered documents, read lazily; derived ones come last. The stream must be closed.
     *
     * @param wanted selects documents; others are not parsed
     */
    public Stream<Item> documents(Predicate<DocumentId> wanted) {
        DerivedRevision.FromOwners fromOwners = derived.new FromOwners();
        return Stream.concat(
                stored.inOrder(null, wanted).map(this::item),
                stored.derivedDocuments(null)
                        .filter(read -> wanted.test(id(read)))
                        .map(read -> item(read, fromOwners)));
    }

    private static DocumentId id(ReadDerived read) {
        return read.key().in(read.record().owner().layer());
    }

    private Item item(Rendered read) {
        Document document = read.document().document();
        return new Item(
                read.id(), read.document(), read.rendering().record(), () -> document.rendered(derived.unlocked(read)));
    }

    private Item item(ReadDerived read, DerivedRevision.FromOwners fromOwners) {
        return new Item(
                id(read),
                published.apply(read.record().owner()),
                read.record().record(),
                () -> fromOwners.unlocked(read));
    }
}
