package dev.strake.engine.graph;

import dev.strake.engine.derivation.Read;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.tree.MapValue;
import java.util.Collection;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Finds the owners of derived documents by what they read and by what they derive. The cost of a search does not depend on
 * how many owners there are.
 */
public final class Owners {

    public static final Owners NONE =
            new Owners(Multimap.empty(), Multimap.empty(), WantedLabels.EMPTY, Multimap.empty());

    private final Multimap<DocumentKey, Read.Data> reads;
    private final Multimap<Read.Data, DocumentId> readers;
    private final WantedLabels selectors;
    private final Multimap<DocumentKey, DocumentId> owners;

    private Owners(
            Multimap<DocumentKey, Read.Data> reads,
            Multimap<Read.Data, DocumentId> readers,
            WantedLabels selectors,
            Multimap<DocumentKey, DocumentId> owners) {
        this.reads = reads;
        this.readers = readers;
        this.selectors = selectors;
        this.owners = owners;
    }

    /** What owners read of the document with a key, whether the document is rendered or missing. */
    public Collection<Read.Data> readsOf(DocumentKey document) {
        return reads.get(document);
    }

    public Collection<DocumentId> readersOf(Read.Data read) {
        return readers.get(read);
    }

    /**
     * Calls back for each owner with a selection that a document matches.
     *
     * @param effort counts the selections that are compared
     */
    public void forEachSelectorOf(Facts document, Consumer<DocumentId> owner, ChangeEffort effort) {
        if (!selectors.isEmpty()) {
            MapValue labels = document.labelsAndSchema();
            effort.spend(selectors.steps(labels));
            selectors.forEachSeeker(labels, owner);
        }
    }

    public Collection<DocumentId> of(DocumentKey derived) {
        return owners.get(derived);
    }

    /** A copy that is open for changes. */
    public Owners edit() {
        return new Owners(reads.copy(true), readers.copy(true), selectors.copy(true), owners.copy(true));
    }

    /** A finished copy. This object must not be used afterwards. */
    public Owners freeze() {
        return new Owners(reads.copy(false), readers.copy(false), selectors.copy(false), owners.copy(false));
    }

    /** Replaces the reads and the derived documents of an owner. Elements of both sets stay unchanged. */
    public void set(
            DocumentId owner,
            Set<Read> readBefore,
            Set<Read> readNow,
            Set<DocumentKey> derivedBefore,
            Set<DocumentKey> derivedNow) {
        readBefore.stream().filter(read -> !readNow.contains(read)).forEach(read -> setRead(owner, read, false));
        readNow.stream().filter(read -> !readBefore.contains(read)).forEach(read -> setRead(owner, read, true));
        derivedBefore.stream().filter(key -> !derivedNow.contains(key)).forEach(key -> owners.set(key, owner, false));
        derivedNow.stream().filter(key -> !derivedBefore.contains(key)).forEach(key -> owners.set(key, owner, true));
    }

    private void setRead(DocumentId owner, Read read, boolean present) {
        if (read instanceof Read.Data data) {
            if (readers.set(data, owner, present)) { // first reader added, or last one removed
                reads.set(data.document(), data, present);
            }
        } else if (read instanceof Read.Selection selection) {
            selectors.set(WantedLabels.withSchema(selection.labels(), selection.schema()), owner, present);
        }
    }
}
