package dev.strake.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.secret.Redaction;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.SecretPlaces;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.topology.Whole.PublishedDocument;
import dev.strake.topology.query.Differences;
import dev.strake.topology.query.Differences.Difference;
import dev.strake.topology.query.WorkspaceQueries;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** All answers about a revision at one time, to be compared with later answers. */
record Recorded(
        OutcomeStatus status,
        List<PublishedDocument> documents,
        SortedMap<DocumentId, Whole.Place> graph,
        List<MapValue> rendered,
        List<Problem> problems,
        SortedMap<String, Integer> buckets) {

    static Recorded now(TopologyHarness strake, String workspace, OutcomeStatus status) {
        WorkspaceQueries queries = strake.queries();
        return of(queries, workspace, queries.history().lastRevision(workspace), status);
    }

    static Recorded of(WorkspaceQueries queries, String workspace, long revision, OutcomeStatus status) {
        return new Recorded(
                status,
                Whole.documents(queries, workspace, revision),
                Whole.graph(queries, workspace, revision),
                Whole.rendered(queries, workspace, revision),
                Whole.problems(queries, workspace, revision),
                queries.buckets(workspace, revision));
    }

    /** Checks the differences found between this revision and another against the contents of both. */
    void checkDifferences(Recorded other, Differences found) {
        assertThat(found.documents()).isEqualTo(difference(byId(), other.byId()));
        assertThat(found.rendered()).isEqualTo(difference(byKey(), other.byKey()));
        found.problems()
                .forEach((key, problem) -> assertThat(
                                (found.rendered().get(key) == Difference.CREATED ? this : other).problems)
                        .contains(problem));
        found.rendered().forEach((key, difference) -> {
            if (difference != Difference.MODIFIED) {
                boolean isCreated = difference == Difference.CREATED;
                DocumentId there = id((isCreated ? other : this).byKey().get(key));
                Recorded without = isCreated ? this : other;
                boolean isInTrouble = without.isToBeRendered(there)
                        && without.problems.stream().anyMatch(problem -> there.equals(problem.document()));
                Problem problem = found.problems().get(key);
                assertThat(problem != null || !isInTrouble)
                        .as("the problem of %s", there)
                        .isTrue();
                if (problem != null && problem.document().key().equals(key)) {
                    assertThat(without.isToBeRendered(problem.document()))
                            .as("%s would be rendered", problem.document())
                            .isTrue();
                }
            }
        });
    }

    /* Whether a document is neither abstract nor replaced. It is rendered unless it has a problem. */
    boolean isToBeRendered(DocumentId id) {
        MapValue tree = byId().get(id);
        return tree != null && !isTrue(layering(tree), "abstract") && id.equals(lastReplacement(original(id)));
    }

    private DocumentId original(DocumentId id) {
        return replaced(id).map(this::original).orElse(id);
    }

    /* If a document has several replacements, the one in the lowest layer wins. */
    private DocumentId lastReplacement(DocumentId id) {
        return graph.keySet().stream()
                .filter(each -> replaced(each).filter(id::equals).isPresent())
                .max(Comparator.comparing(each -> layers().indexOf(new Text(each.layer()))))
                .map(this::lastReplacement)
                .orElse(id);
    }

    private Optional<DocumentId> replaced(DocumentId id) {
        Whole.Place place = graph.get(id);
        return place.replacement()
                        && place.parent() != null
                        && place.parent().key().equals(id.key())
                ? Optional.of(place.parent()) // a document with another name replaces nothing
                : Optional.empty();
    }

    private List<Value> layers() {
        return documents.stream()
                .filter(each -> each.id().key().schema().equals("deckhand/LayeringPolicy/v1"))
                .map(each -> (MapValue) each.tree().get("data"))
                .map(data -> ((ListValue) data.get("layerOrder")).items())
                .findFirst()
                .orElse(List.of());
    }

    private static boolean isTrue(MapValue map, String field) {
        return map != null && Bool.TRUE.equals(map.get(field));
    }

    private static MapValue layering(MapValue tree) {
        return (MapValue) ((MapValue) tree.get("metadata")).get("layeringDefinition");
    }

    private static DocumentId id(MapValue rendered) {
        MapValue layering = layering(rendered);
        String layer = layering != null && layering.get("layer") instanceof Text text ? text.value() : "";
        return key(rendered).in(layer);
    }

    private Map<DocumentId, MapValue> byId() {
        return documents.stream().collect(Collectors.toMap(PublishedDocument::id, PublishedDocument::tree));
    }

    private Map<DocumentKey, MapValue> byKey() {
        return rendered.stream().collect(Collectors.toMap(Recorded::key, tree -> tree));
    }

    private static DocumentKey key(MapValue tree) {
        return new DocumentKey(
                ((Text) tree.get("schema")).value(), ((Text) ((MapValue) tree.get("metadata")).get("name")).value());
    }

    /* The secret places in any order, and the structure of the data, which shows maps with hidden keys. */
    private static Set<Value> secretPlaces(MapValue document) {
        Value data = document.get("data");
        if (data == null || !data.hasSecrets()) {
            return Set.of();
        }
        Set<Value> places = new HashSet<>(SecretPlaces.of(data).pointers().items());
        places.add(Redaction.STRUCTURE.data(data));
        return places;
    }

    private static <K> SortedMap<K, Difference> difference(Map<K, MapValue> before, Map<K, MapValue> after) {
        TreeSet<K> keys = new TreeSet<>(before.keySet());
        keys.addAll(after.keySet());
        SortedMap<K, Difference> result = new TreeMap<>();
        for (K key : keys) {
            if (!before.containsKey(key)) {
                result.put(key, Difference.CREATED);
            } else if (!after.containsKey(key)) {
                result.put(key, Difference.DELETED);
            } else if (!before.get(key).equals(after.get(key))
                    || !secretPlaces(before.get(key)).equals(secretPlaces(after.get(key)))) {
                result.put(key, Difference.MODIFIED);
            }
        }
        return result;
    }
}
