package dev.strake.engine.property;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import dev.strake.engine.document.Document;
import dev.strake.engine.document.DocumentFormatException;
import dev.strake.engine.graph.Graph;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.oracle.Limits;
import dev.strake.engine.oracle.NaiveRenderer;
import dev.strake.engine.oracle.PlainDocument;
import dev.strake.engine.oracle.Secrets;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.workspace.Edit;
import dev.strake.engine.workspace.Plan;
import dev.strake.engine.workspace.Update;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Applies a list of changes to workspaces of both kinds. After every step, checks every property against a full
 * rendering from scratch.
 */
public final class Story {

    /** The initial limits of a rendered document, so low that some documents of the small world exceed them. */
    static final RenderLimits LIMITS = new RenderLimits(800, 7, 6);

    private final List<Track> tracks = List.of(new Track(false), new Track(true));
    private final List<State> history = new ArrayList<>();
    private Limits limits = new Limits(LIMITS.bytes(), LIMITS.depth(), LIMITS.padding());
    private NaiveRenderer oracle = new NaiveRenderer(List.of(), limits);
    private int lastWhole;
    private final Map<String, Integer> counts = new TreeMap<>();

    Story() {
        history.add(new State(Map.of()));
    }

    /** Runs a story from its text; fails at the first violated property. */
    static Story tell(String lines) {
        Story story = new Story();
        Change.story(lines).forEach(story::step);
        return story;
    }

    /**
     * A document and the bucket that holds it.
     *
     * @param since the revision that last changed the document
     * @param place its position among the documents of that change
     */
    public record Held(Document document, String bucket, long since, int place) {}

    /** The content of a workspace. */
    public record State(Map<DocumentId, Held> documents) {

        boolean isEmpty() {
            return documents.isEmpty();
        }

        /** The documents themselves. */
        List<MapValue> trees() {
            return documents.values().stream()
                    .map(held -> held.document().tree())
                    .toList();
        }

        MapValue tree(DocumentId id) {
            return documents.get(id).document().tree();
        }

        String bucket(DocumentId id) {
            return documents.get(id).bucket();
        }

        boolean hasSameContent(State other) {
            return documents.keySet().equals(other.documents.keySet())
                    && documents.keySet().stream()
                            .allMatch(id -> tree(id).equals(other.tree(id))
                                    && bucket(id).equals(other.bucket(id)));
        }
    }

    State state() {
        return history.get(history.size() - 1);
    }

    /** The number of revisions since the workspace last rendered as a whole. */
    int sinceWhole() {
        return history.size() - 1 - lastWhole;
    }

    List<DocumentId> causesOfTrouble() {
        return oracle.outcomes().entrySet().stream()
                .filter(entry -> entry.getValue().isInTrouble()
                        && entry.getValue().trouble().cause() == null)
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    /** The number of times that each event occurred. */
    Map<String, Integer> counts() {
        return counts;
    }

    void step(Change change) {
        if (change.kind() == Change.Kind.RESTART) {
            tracks.forEach(Track::restart);
            return;
        }
        if (change.kind() == Change.Kind.LIMITS) { // nothing is rendered before the next change
            limits = new Limits(change.number(), LIMITS.depth(), LIMITS.padding());
            tracks.forEach(track -> track.limit(new RenderLimits(change.number(), LIMITS.depth(), LIMITS.padding())));
            return;
        }
        State target = target(change);
        boolean same = target != null && target.hasSameContent(state());
        NaiveRenderer after = target == null || same ? oracle : new NaiveRenderer(target.trees(), limits);
        ToldApart apart = target == null || same ? null : new ToldApart(target.trees(), after, limits, counts);
        if (target != null && !same) {
            new UnderMasks(target.trees(), after, counts).check();
            Features.count(target.trees(), after, counts);
        }
        for (Track track : tracks) {
            Plan plan = plan(change, track.graph());
            assertThat(plan.rejections().isEmpty()).as("accepted").isEqualTo(target != null);
            if (target != null) {
                assertThat(plan.edits().isEmpty()).as("unchanged").isEqualTo(same);
                if (!same) {
                    Update update = track.apply(graph -> plan(change, graph), oracle, after, apart);
                    checkCreation(target, update);
                    count(update);
                }
            }
        }
        if (target == null) {
            counts.merge("rejected", 1, Integer::sum);
        } else if (!same) {
            history.add(target);
            oracle = after;
            lastWhole = after.troubles().isEmpty() && !after.lacksPolicy() ? history.size() - 1 : lastWhole;
        }
    }

    /* Checks when each document was last changed, and its position among the other documents of that change. */
    private void checkCreation(State target, Update update) {
        target.documents().forEach((id, held) -> {
            assertThat(update.next().graph().facts(id).since())
                    .as("since of " + id)
                    .isEqualTo(held.since());
            assertThat(update.edits().containsKey(id)).as("edited " + id).isEqualTo(held.since() == history.size());
            if (held.since() == history.size()) {
                assertThat(update.edits().get(id).place()).as("place of " + id).isEqualTo(held.place());
            }
        });
    }

    private void count(Update update) {
        counts.merge(update.status().toString(), 1, Integer::sum);
        counts.merge("affected", update.work().affected(), Integer::sum);
        counts.merge("evaluated", update.work().evaluated(), Integer::sum);
        counts.merge("derivations", update.work().derivations(), Integer::sum);
        counts.merge("derived", update.derived().documents().size(), Integer::sum);
        counts.merge("emitted", update.emissions().size(), Integer::sum);
        Graph graph = update.next().graph();
        long secret = graph.documents().stream().filter(graph::isSecret).count();
        counts.merge("secret", (int) secret, Integer::sum);
        update.problems()
                .values()
                .forEach(problem ->
                        problem.ifPresent(present -> counts.merge(present.code().code(), 1, Integer::sum)));
    }

    /* The content of the workspace after a change; null if the change must be rejected. */
    private State target(Change change) {
        if (change.kind() == Change.Kind.BACK) {
            return earlier(change);
        }
        Map<DocumentId, Held> result = new TreeMap<>(state().documents());
        if (change.kind() == Change.Kind.DELETE) {
            change.ids()
                    .forEach(id -> result.computeIfPresent(
                            id, (key, held) -> held.bucket().equals(change.bucket()) ? null : held));
            return new State(result);
        }
        Set<DocumentId> named = new HashSet<>();
        List<Document> documents = documents(change);
        for (int place = 0; place < documents.size(); place++) {
            Document document = documents.get(place);
            Held held = result.get(document.id());
            if (!named.add(document.id()) || (held != null && !held.bucket().equals(change.bucket()))) {
                return null;
            }
            // Equal content in another order is no change: the existing document stays.
            if (held == null || !held.document().tree().equals(document.tree())) {
                result.put(document.id(), new Held(document, change.bucket(), history.size(), place));
            }
        }
        if (change.kind() == Change.Kind.BUCKET) {
            result.entrySet()
                    .removeIf(entry ->
                            entry.getValue().bucket().equals(change.bucket()) && !named.contains(entry.getKey()));
        }
        long policies = result.keySet().stream()
                .filter(id -> id.schema().startsWith("deckhand/LayeringPolicy/"))
                .count();
        return policies > 1 ? null : new State(result);
    }

    private State earlier(Change change) {
        State old = history.get(Math.max(0, history.size() - 1 - change.number()));
        Map<DocumentId, Held> result = new TreeMap<>(old.documents());
        result.replaceAll((id, held) -> {
            Held now = state().documents().get(id);
            boolean same = now != null
                    && now.bucket().equals(held.bucket())
                    && now.document().tree().equals(held.document().tree());
            return same ? now : new Held(held.document(), held.bucket(), history.size(), held.place());
        });
        return new State(result);
    }

    private Plan plan(Change change, Graph graph) {
        return switch (change.kind()) {
            case PUT -> Plan.documentsPut(graph, change.bucket(), documents(change));
            case BUCKET -> Plan.bucketPut(graph, change.bucket(), documents(change));
            case DELETE -> Plan.documentsDelete(graph, change.bucket(), change.ids());
            default -> Plan.restore(graph, restored(change));
        };
    }

    private Map<DocumentId, Edit> restored(Change change) {
        Map<DocumentId, Edit> result = new TreeMap<>();
        state().documents().keySet().forEach(id -> result.put(id, Edit.REMOVAL));
        earlier(change)
                .documents()
                .forEach((id, held) -> result.put(id, Edit.of(held.document(), held.bucket(), held.place())));
        return result;
    }

    private static List<Document> documents(Change change) {
        List<Document> result = new ArrayList<>();
        for (MapValue tree : change.documents()) {
            try {
                // Changes are read from JSON, unless they were built from documents of the workspace.
                MapValue plain = (MapValue) Secrets.forgotten(tree);
                Document document = Document.of(plain);
                String whole = Json.text(PlainDocument.whole(plain).get("metadata"));
                assertThat(Json.text(document.metadata())).isEqualTo(whole);
                result.add(document);
            } catch (DocumentFormatException e) {
                throw new IllegalArgumentException(change.toString(), e);
            }
        }
        return Collections.unmodifiableList(result);
    }
}
