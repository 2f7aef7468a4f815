package dev.strake.engine.explain;

import dev.strake.engine.derivation.Read;
import dev.strake.engine.graph.Facts;
import dev.strake.engine.graph.Graph;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.path.Path;
import dev.strake.engine.path.PathSyntaxException;
import dev.strake.engine.render.Contents;
import dev.strake.engine.render.DerivedContents.UnderivableException;
import dev.strake.engine.render.DerivedDocuments;
import dev.strake.engine.tree.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The places of documents that the owners of a revision read. Every owner is evaluated again. Owners with a problem are
 * left out, because their reads are unknown.
 */
final class DerivedUses {

    private final Map<DocumentKey, List<Use>> uses = new HashMap<>();
    private final Map<DocumentId, List<DocumentId>> derived = new HashMap<>();

    /**
     * A place of a document that an owner reads.
     *
     * @param used the place; the root if the path may match any place
     */
    record Use(DocumentId owner, Place used) {}

    static DerivedUses of(Graph graph, Contents contents, ChangeEffort effort) {
        DerivedUses found = new DerivedUses();
        Set<DocumentId> owners = new TreeSet<>();
        for (DocumentId id : graph.documents()) {
            Facts facts = graph.facts(id);
            if (facts.isDerivation() && graph.isInForce(facts)) {
                owners.add(id);
            }
        }
        for (DocumentId owner : owners) {
            try {
                found.add(owner, DerivedDocuments.of(graph, contents, owner, effort));
            } catch (UnderivableException e) {
                found.derived.remove(owner); // an owner with a problem derives nothing
            }
        }
        return found;
    }

    private void add(DocumentId owner, DerivedDocuments made) {
        derived.put(
                owner,
                made.documents().keySet().stream()
                        .map(key -> key.in(owner.layer()))
                        .toList());
        for (Read read : made.reads()) {
            if (read instanceof Read.Data data) {
                uses.computeIfAbsent(data.document(), key -> new ArrayList<>()).add(new Use(owner, place(data.path())));
            }
        }
    }

    private static Place place(String path) {
        try {
            Place only = Path.of(path).onlyPlace();
            return only == null ? Place.ROOT : only;
        } catch (PathSyntaxException e) {
            throw new IllegalStateException("the path was parsed before", e);
        }
    }

    /** The places that owners read at, above or below a place of a document. */
    List<Use> of(DocumentKey document, Place place) {
        return uses.getOrDefault(document, List.of()).stream()
                .filter(use -> use.used.isWithin(place) || place.isWithin(use.used))
                .toList();
    }

    /** The documents that are derived from an owner; they have its layer. */
    List<DocumentId> derivedFrom(DocumentId owner) {
        return derived.getOrDefault(owner, List.of());
    }
}
