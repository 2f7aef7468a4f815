package dev.strake.topology;

import dev.strake.engine.graph.Graph;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.tree.MapValue;
import dev.strake.topology.layout.DocumentsLayout;
import dev.strake.topology.layout.RenderedLayout.Rendering;
import dev.strake.topology.query.Differences;
import dev.strake.topology.query.WorkspaceQueries;
import dev.strake.topology.store.DerivedRevision;
import dev.strake.topology.store.NumberedRevision;
import dev.strake.topology.store.StoredRevision;
import dev.strake.topology.store.StoredRevision.Read;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Collects complete answers from the stores in memory, which a program reads document by document. */
final class Whole {

    private Whole() {}

    record PublishedDocument(DocumentId id, String bucket, MapValue tree) {}

    /** All kept revisions, oldest first. */
    static List<NumberedRevision> revisions(WorkspaceQueries queries, String workspace) {
        try (Stream<NumberedRevision> all = queries.history().revisions(workspace, 0)) {
            return all.toList();
        }
    }

    /** The documents of a revision as published, in order of identity. */
    static List<PublishedDocument> documents(WorkspaceQueries queries, String workspace, long revision) {
        try (Stream<Read<DocumentsLayout.Entry>> all =
                queries.at(workspace, revision).documents(null)) {
            return all.sorted(Comparator.comparing(Read::id))
                    .map(read -> new PublishedDocument(
                            read.id(),
                            read.entry().bucket(),
                            read.entry().document().tree()))
                    .toList();
        }
    }

    /** The rendered documents of a revision, in order of schema and name. */
    static List<MapValue> rendered(WorkspaceQueries queries, String workspace, long revision) {
        StoredRevision whole = queries.at(workspace, revision);
        DerivedRevision derived = whole.derived();
        SortedMap<DocumentKey, MapValue> result = new TreeMap<>();
        try (Stream<StoredRevision.Rendered> all = whole.inOrder(null, id -> true)) {
            all.forEach(read ->
                    result.put(read.id().key(), read.document().document().rendered(derived.data(read))));
        }
        DerivedRevision.FromOwners fromOwners = derived.new FromOwners();
        try (Stream<StoredRevision.ReadDerived> all = whole.derivedDocuments(null)) {
            all.forEach(read -> result.put(read.key(), fromOwners.get(read)));
        }
        return List.copyOf(result.values());
    }

    static Differences diff(WorkspaceQueries queries, String workspace, long from, long to) {
        return queries.diff(workspace, from, to, id -> true, () -> {});
    }

    /** The revision that created a document in its present state, and its place among those of the same change. */
    record Created(long since, int place) {}

    static Map<DocumentId, Created> created(WorkspaceQueries queries, String workspace, long revision) {
        try (Stream<Read<DocumentsLayout.Entry>> all =
                queries.at(workspace, revision).documents(null)) {
            return all.collect(Collectors.toMap(
                    Read::id,
                    read -> new Created(read.entry().since(), read.entry().place())));
        }
    }

    /** The parent of a document, and whether the document is a replacement. */
    record Place(DocumentId parent, boolean replacement) {}

    static SortedMap<DocumentId, Place> graph(WorkspaceQueries queries, String workspace, long revision) {
        Graph graph = queries.at(workspace, revision).derived().graph();
        SortedMap<DocumentId, Place> result = new TreeMap<>();
        graph.documents()
                .forEach(id -> result.put(
                        id, new Place(graph.parent(id), graph.facts(id).isReplacement())));
        return result;
    }

    /** The problems of a revision: first that of the whole workspace, then those of documents by identity. */
    static List<Problem> problems(WorkspaceQueries queries, String workspace, long revision) {
        List<Problem> result = new ArrayList<>();
        queries.wholeProblem(workspace, revision).ifPresent(result::add);
        try (Stream<Read<Rendering>> all = queries.at(workspace, revision).renderings(null)) {
            all.filter(read -> read.entry().problem() != null)
                    .sorted(Comparator.comparing(Read::id))
                    .forEach(read -> result.add(read.entry().problem()));
        }
        return result;
    }
}
