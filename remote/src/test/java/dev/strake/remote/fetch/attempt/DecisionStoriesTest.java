package dev.strake.remote.fetch.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.document.Document;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.remote.fetch.attempt.Decision.Kind;
import dev.strake.remote.fetch.resource.RemoteResource;
import dev.strake.remote.object.Reconcile;
import dev.strake.serdes.change.RemovalLimit;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * Random stories of a source whose documents come and go, sometimes nearly all at once. Its bucket gets the documents of
 * the source, and loses only those that docs/fetching.md allows. {@code -Dstrake.seed=N} repeats the stories.
 */
class DecisionStoriesTest {

    private static final int STORIES = 400;
    private static final int STEPS = 40;
    private static final List<Reconcile> RECONCILES = List.of(Reconcile.values());

    /** Limits of removals, each with the number of documents that it allows to remove. */
    private static final List<Limit> LIMITS = List.of(
            new Limit("guard", held -> held < 2 ? 0 : Math.max(1, held / 3)),
            new Limit("guard", held -> held < 2 ? 0 : Math.max(1, held / 3)),
            new Limit("0", held -> 0),
            new Limit("2", held -> 2),
            new Limit("40%", held -> held * 2 / 5),
            new Limit("1,50%", held -> Math.max(1, held / 2)),
            new Limit("100%", held -> held));

    private record Limit(String text, IntUnaryOperator most) {}

    private final long seed = Long.getLong("strake.seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);
    private final Map<Kind, Integer> counts = new TreeMap<>();

    private NavigableMap<DocumentId, Document> source = new TreeMap<>();
    private Set<DocumentId> bucket = new TreeSet<>();
    private Optional<Memory> memory = Optional.empty();
    private Optional<String> held = Optional.empty();

    @Test
    void shouldLoseOnlyWhatMayGo() throws Exception {
        for (int i = 0; i < STORIES; i++) {
            source = new TreeMap<>();
            bucket = new TreeSet<>();
            memory = Optional.empty();
            held = Optional.empty();
            for (int step = 0; step < STEPS; step++) {
                change();
                attempt("seed %d, story %d, step %d".formatted(seed, i, step));
            }
        }
        assertThat(counts.keySet()).containsExactly(Kind.values());
        assertThat(counts.get(Kind.HOLD)).isGreaterThan(STORIES);
    }

    /* Usually adds or changes some documents; sometimes leaves only few. */
    private void change() throws Exception {
        double left = random.nextInt(4) > 0 ? 0.95 : random.nextDouble();
        source.keySet().removeIf(id -> random.nextDouble() > left);
        for (int i = random.nextInt(4); i > 0; i--) {
            MapValue labels = MapValue.EMPTY;
            if (random.nextInt(3) == 0) {
                String label = List.of("true", "false", "confirm").get(random.nextInt(3));
                labels = labels.with("deploy.razee.io/Reconcile", new Text(label));
            }
            Document document = Document.of(MapValue.of("schema", new Text("example/Thing/v1"))
                    .with(
                            "metadata",
                            MapValue.of("name", new Text("n" + random.nextInt(12)))
                                    .with("labels", labels)
                                    .with("layeringDefinition", MapValue.of("layer", new Text("site"))))
                    .with("data", Num.of(random.nextInt(3))));
            source.put(document.id(), document);
        }
    }

    private void attempt(String where) {
        Content content = new Content(new TreeMap<>(source));
        Limit limit = LIMITS.get(random.nextInt(LIMITS.size()));
        Optional<String> confirm = random.nextInt(5) == 0 ? Optional.of(content.hash()) : held;
        boolean isConfirmed = confirm.equals(Optional.of(content.hash()));
        RemoteResource resource = new RemoteResource(
                null,
                "site",
                "b",
                null,
                Optional.empty(),
                new RemoteResource.Removals(
                        RemovalLimit.parse(limit.text), confirm, RECONCILES.get(random.nextInt(RECONCILES.size()))));
        boolean isPartial = random.nextInt(8) == 0;
        boolean isOlder = random.nextInt(8) == 0;
        Map<DocumentId, Reconcile> before =
                memory.<Map<DocumentId, Reconcile>>map(Memory::documents).orElse(Map.of());

        Decision decision = Decision.of(resource, memory, content, isPartial, isOlder);
        counts.merge(decision.kind(), 1, Integer::sum);
        Set<DocumentId> after = after(decision);
        Set<DocumentId> lost = new TreeSet<>(bucket);
        lost.removeAll(after);

        assertThat(lost).as(where).noneMatch(source::containsKey);
        if (isPartial || decision.kind() == Kind.HOLD || decision.kind() == Kind.NOTHING) {
            assertThat(lost).as(where + ": " + decision.kind()).isEmpty();
        } else if (!isConfirmed) {
            assertThat(lost.size())
                    .as(where + ": " + limit.text)
                    .isLessThanOrEqualTo(limit.most.applyAsInt(before.size()));
            assertThat(lost).as(where + ": gone for good").allMatch(id -> before.get(id) == Reconcile.TRUE);
            assertThat(lost.isEmpty() || !isOlder)
                    .as(where + ": an older state")
                    .isTrue();
            assertThat(lost.isEmpty() || !source.isEmpty())
                    .as(where + ": an empty source")
                    .isTrue();
        }
        if (isConfirmed && !isPartial) {
            assertThat(decision.kind()).as(where + ": confirmed").isNotEqualTo(Kind.HOLD);
            assertThat(after).as(where).allMatch(id -> source.containsKey(id) || isKept(id, before));
        }
        if (decision.kind() != Kind.HOLD) {
            assertThat(source.keySet()).as(where + ": what the source has").allMatch(after::contains);
        }
        held = Optional.of(decision.confirm());
        bucket = after;
        if (decision.kind() != Kind.HOLD && !(decision.kind() == Kind.NOTHING && isPartial)) {
            memory = decision.kind() == Kind.NOTHING && memory.isEmpty()
                    ? memory
                    : Optional.of(decision.memory(resource, memory, content, new TreeMap<>(), "c"));
            memory = memory.map(past -> Memory.read(past.write()));
            assertThat(Decision.of(resource, memory, content, isPartial, isOlder)
                            .kind())
                    .as(where + ": again")
                    .isEqualTo(Kind.NOTHING);
        }
    }

    /* Whether a document that left the source was marked to stay. */
    private boolean isKept(DocumentId id, Map<DocumentId, Reconcile> before) {
        Reconcile mark =
                before.getOrDefault(id, memory.map(past -> past.kept().get(id)).orElse(null));
        return mark == Reconcile.FALSE;
    }

    private Set<DocumentId> after(Decision decision) {
        Set<DocumentId> after = new TreeSet<>(decision.kind() == Kind.PUT ? Set.of() : bucket);
        if (decision.kind() != Kind.NOTHING && decision.kind() != Kind.HOLD) {
            decision.documents().forEach(document -> after.add(document.id()));
        }
        if (decision.kind() == Kind.UPDATE) {
            after.removeAll(decision.removals());
        }
        return after;
    }
}
