package dev.strake.engine.property;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import dev.strake.engine.TestWorkspace;
import dev.strake.engine.explain.RenderReasons;
import dev.strake.engine.graph.Dependency;
import dev.strake.engine.graph.Facts;
import dev.strake.engine.graph.Graph;
import dev.strake.engine.graph.GraphUpdate;
import dev.strake.engine.graph.Places;
import dev.strake.engine.graph.Reason;
import dev.strake.engine.identity.Digest;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.oracle.NaiveRenderer;
import dev.strake.engine.oracle.Secrets;
import dev.strake.engine.oracle.Trouble;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.render.DataSchemas;
import dev.strake.engine.render.RecordJson;
import dev.strake.engine.render.Renderer;
import dev.strake.engine.render.Tracer;
import dev.strake.engine.render.Workers;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import dev.strake.engine.workspace.Emission;
import dev.strake.engine.workspace.Plan;
import dev.strake.engine.workspace.Update;
import dev.strake.engine.workspace.Update.Status;
import dev.strake.engine.workspace.Workspace;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A workspace under test, and its twin, which is closed and opened again during the story. */
final class Track {

    private static final Workers SEVERAL = new Workers() {
        @Override
        public <T, R> List<R> each(List<T> items, Function<T, R> work) {
            return items.parallelStream().map(work).toList();
        }
    };

    private final boolean holdDocuments;
    private Renderer renderer;
    private final TestWorkspace workspace;
    private TestWorkspace twin;
    private final Map<DocumentId, Problem> problems = new TreeMap<>();
    private final Map<DocumentKey, Object> held = new TreeMap<>();
    private final Map<DocumentId, Set<DocumentKey>> lastDerived = new TreeMap<>();

    Track(boolean holdDocuments) {
        this.holdDocuments = holdDocuments;
        this.renderer = renderer(holdDocuments, Story.LIMITS);
        this.workspace = new TestWorkspace(renderer);
    }

    /* The rehearsal and the twin use the same renderer, and so share its compiled schemas. */
    private static Renderer renderer(boolean holdDocuments, RenderLimits limits) {
        return new Renderer(holdDocuments, limits, new DataSchemas());
    }

    /** Sets the limits for the next renderings. */
    void limit(RenderLimits limits) {
        renderer = renderer(holdDocuments, limits);
        workspace.renderWith(renderer);
        if (twin != null) {
            twin.renderWith(renderer);
        }
    }

    Graph graph() {
        return workspace.head().graph();
    }

    void restart() {
        twin = (twin == null ? workspace : twin).reopened();
    }

    /** Applies a change and checks every property of the result. */
    Update apply(Function<Graph, Plan> planner, NaiveRenderer before, NaiveRenderer after, ToldApart apart) {
        Workspace old = workspace.head();
        Map<DocumentKey, MapValue> publishedBefore = new TreeMap<>(workspace.published());
        Set<DocumentKey> secretBefore = new TreeSet<>(workspace.secret());
        Plan plan = planner.apply(old.graph());
        BlastRadius radius = new BlastRadius(workspace, plan, before, after);
        RenderReasons reasons = new RenderReasons();
        Update rehearsal = old.apply(plan, workspace, renderer.with(SEVERAL), reasons);
        Update twins =
                twin == null ? null : twin.apply(planner.apply(twin.head().graph()));
        Update update = workspace.apply(plan);
        assertSame(rehearsal, update, "applied to the same head by several threads");
        checkProblems(update, after);
        keepLastDerived(after);
        checkPublished(update, publishedBefore, after);
        checkSecrets(update, secretBefore, after);
        checkMinimal(update, publishedBefore, after);
        checkMessages();
        checkReasons(reasons, plan);
        radius.check();
        checkDerived(before, after);
        checkDependents(after);
        checkSeeds(old.graph(), plan);
        checkData(after);
        checkToldApart(update, after, apart);
        new Explained(workspace).check();
        new Frugality(before, after, plan.edits().keySet()).check(workspace, update);
        if (twins != null) {
            assertSame(twins, update, "applied after a restart");
            assertThat(twin.published()).as("published after a restart").isEqualTo(workspace.published());
            assertThat(twin.secret()).as("secret after a restart").isEqualTo(workspace.secret());
        }
        return update;
    }

    private static void assertSame(Update one, Update other, String when) {
        assertThat(one.status()).as(when).isEqualTo(other.status());
        assertThat(one.emissions()).as(when).isEqualTo(other.emissions());
        assertThat(one.problems()).as(when).isEqualTo(other.problems());
        assertThat(one.results().evaluations())
                .as(when)
                .isEqualTo(other.results().evaluations());
        assertThat(one.results().data()).as(when).isEqualTo(other.results().data());
        assertThat(one.results().moved()).as(when).isEqualTo(other.results().moved());
        assertThat(one.published().held()).as(when).isEqualTo(other.published().held());
        assertThat(one.derived().owners()).as(when).isEqualTo(other.derived().owners());
        assertThat(one.derived().documents()).as(when).isEqualTo(other.derived().documents());
        assertThat(one.work().affected()).as(when).isEqualTo(other.work().affected());
        assertThat(one.work().evaluated()).as(when).isEqualTo(other.work().evaluated());
        assertThat(one.warnings()).as(when).containsExactlyInAnyOrderElementsOf(other.warnings());
        assertThat(one.next().holdings().digest())
                .as(when)
                .isEqualTo(other.next().holdings().digest());
        assertThat(one.next().holdings().records())
                .as(when)
                .isEqualTo(other.next().holdings().records());
        assertThat(one.next().revision()).as(when).isEqualTo(other.next().revision());
        assertThat(one.next().holdings().revision())
                .as(when)
                .isEqualTo(other.next().holdings().revision());
        assertThat(one.next().problems(100)).as(when).isEqualTo(other.next().problems(100));
    }

    private Status expectedStatus(NaiveRenderer after) {
        if (after.troubles().isEmpty() && !after.lacksPolicy()) {
            return Status.RENDERED;
        }
        return holdDocuments && !after.lacksPolicy() ? Status.PARTIAL : Status.FAILED;
    }

    private void checkProblems(Update update, NaiveRenderer after) {
        Map<DocumentId, Trouble> expected = after.troubles();
        Map<DocumentId, Trouble> actual = new TreeMap<>();
        Findings findings = new Findings(workspace.head());
        for (DocumentId id : after.outcomes().keySet()) {
            if (findings.trouble(id) != null) {
                actual.put(id, findings.trouble(id));
            }
        }
        assertThat(actual).as("what became of each document").isEqualTo(expected);
        assertThat(update.status()).as("status").isEqualTo(expectedStatus(after));
        assertThat(workspace.head().isInTrouble()).as("in trouble").isEqualTo(update.status() != Status.RENDERED);
        update.problems().forEach((id, problem) -> {
            assertThat(problems.get(id)).as("told already: " + id).isNotEqualTo(problem.orElse(null));
            problem.ifPresentOrElse(now -> problems.put(id, now), () -> problems.remove(id));
        });
        assertThat(problems.keySet())
                .as("problems as told")
                .isEqualTo(after.troubles().keySet());
        problems.forEach((id, problem) -> {
            assertThat(problem.document()).as("the document at fault").isEqualTo(id);
            assertThat(problem).as("problem as told").isEqualTo(findings.problem(id));
        });
        checkWords(update);
    }

    /* Messages must be valid Unicode; half a surrogate pair may occur only if a document contains one. */
    private void checkWords(Update update) {
        boolean halves = workspace.documents().values().stream()
                .anyMatch(document -> Json.text(document.tree()).contains("\\ud"));
        Stream<String> words = Stream.concat(problems.values().stream(), update.warnings().stream())
                .flatMap(problem -> Stream.of(problem.message(), "" + problem.path(), "" + problem.hint()));
        assertThat(words.filter(each -> !halves && !isWhole(each)))
                .as("texts with half a character")
                .isEmpty();
    }

    private static boolean isWhole(String text) {
        return StandardCharsets.UTF_8.newEncoder().canEncode(text);
    }

    private void checkPublished(Update update, Map<DocumentKey, MapValue> publishedBefore, NaiveRenderer after) {
        Map<DocumentKey, MapValue> expected = new TreeMap<>(after.rendered());
        if (update.status() == Status.FAILED) {
            expected = publishedBefore;
        } else if (update.status() == Status.PARTIAL) {
            Set<DocumentKey> heldBack = new TreeSet<>(after.troubledKeys());
            after.derived().forEach((owner, keys) -> {
                if (keys == null) {
                    heldBack.addAll(lastDerived.getOrDefault(owner, Set.of()));
                }
            });
            for (DocumentKey key : heldBack) {
                if (publishedBefore.containsKey(key)) {
                    expected.put(key, publishedBefore.get(key));
                }
            }
        }
        Map<DocumentKey, MapValue> published = workspace.published();
        assertThat(published.keySet()).as("keys published").isEqualTo(expected.keySet());
        for (Map.Entry<DocumentKey, MapValue> entry : expected.entrySet()) {
            MapValue actual = published.get(entry.getKey());
            assertThat(actual.equals(entry.getValue()))
                    .as("%s is published as %s, and should be %s", entry.getKey(), text(actual), text(entry.getValue()))
                    .isTrue();
            assertThat(Secrets.marks(actual))
                    .as("secrets of %s", entry.getKey())
                    .isEqualTo(Secrets.marks(entry.getValue()));
        }
        Digest digest = Digest.ZERO;
        for (Map.Entry<DocumentKey, MapValue> entry : published.entrySet()) {
            digest = digest.plus(Digest.of(entry.getKey(), JsonBytes.of(entry.getValue())));
        }
        assertThat(workspace.head().holdings().records())
                .as("number of records")
                .isEqualTo(published.size());
        assertThat(workspace.head().holdings().digest()).as("digest").isEqualTo(digest);
    }

    /* Checks whether a document is secret, and whether its published record is marked accordingly. */
    private void checkSecrets(Update update, Set<DocumentKey> secretBefore, NaiveRenderer after) {
        Set<DocumentId> secret = new TreeSet<>();
        graph().documents().stream().filter(graph()::isSecret).forEach(secret::add);
        assertThat(secret).as("secret documents").isEqualTo(after.secrets());
        Set<DocumentKey> renderedSecret = after.secretKeys();
        Set<DocumentKey> expected = new TreeSet<>();
        for (DocumentKey key : workspace.published().keySet()) {
            boolean isOfNow =
                    update.status() != Status.FAILED && after.rendered().containsKey(key);
            if ((isOfNow ? renderedSecret : secretBefore).contains(key)) {
                expected.add(key);
            }
        }
        assertThat(workspace.secret()).as("published as secret").isEqualTo(expected);
    }

    private void checkMinimal(Update update, Map<DocumentKey, MapValue> publishedBefore, NaiveRenderer after) {
        Set<DocumentKey> keys = new HashSet<>();
        for (Emission emission : update.emissions()) {
            DocumentKey key = emission.key();
            assertThat(keys.add(key)).as("emitted once: " + key).isTrue();
            MapValue old = publishedBefore.get(key);
            MapValue now = workspace.published().get(key);
            boolean hasSameMarks =
                    old != null && now != null && Secrets.marks(old).equals(Secrets.marks(now));
            assertThat(hasSameMarks && old.equals(now))
                    .as("emitted without need: " + key)
                    .isFalse();
            // A record published again has its keys in the order of the merge; other records keep their bytes.
            MapValue expected = after.rendered().get(key);
            if (expected != null) {
                RecordJson kept = emission.owner() == null
                        ? update.results().records().get(emission.document())
                        : update.derived().records().get(key);
                assertThat(emission.owner() != null)
                        .as("derived: " + key)
                        .isEqualTo(
                                after.derived().values().stream().anyMatch(each -> each != null && each.contains(key)));
                assertThat(text(workspace.published().get(key)))
                        .as("bytes of " + key)
                        .isEqualTo(text(expected))
                        .isEqualTo(kept == null ? text(expected) : new String(kept.json(), StandardCharsets.UTF_8));
            }
        }
        update.published().held().forEach((key, output) -> {
            if (output == null) {
                held.remove(key);
            } else {
                held.put(key, output);
            }
        });
        assertThat(held)
                .as("held as told")
                .isEqualTo(new TreeMap<>(workspace.head().holdings().held()));
        workspace
                .head()
                .holdings()
                .held()
                .forEach((key, output) -> assertThat(((Optional<?>) output).isPresent())
                        .as("held as published: " + key)
                        .isEqualTo(workspace.published().containsKey(key)));
    }

    /* The keys that owners derived when they last could, unless another document claims them now. */
    private void keepLastDerived(NaiveRenderer after) {
        lastDerived.keySet().retainAll(after.derived().keySet());
        after.derived().forEach((owner, keys) -> {
            if (keys != null) {
                lastDerived.put(owner, new TreeSet<>(keys));
            } else {
                lastDerived.computeIfAbsent(owner, each -> new TreeSet<>()).removeIf(after::isClaimed);
            }
        });
    }

    /* An owner is evaluated if and only if something that it read, present or missing, has changed. */
    private void checkDerived(NaiveRenderer before, NaiveRenderer after) {
        Set<DocumentId> expected = new TreeSet<>();
        after.usedByOwners().forEach((owner, used) -> {
            boolean relimited = !before.limits().equals(after.limits());
            if (used != null && (relimited || !used.equals(before.usedByOwners().get(owner)))) {
                expected.add(owner);
            }
        });
        assertThat(new TreeSet<>(workspace.derived())).as("owners evaluated").isEqualTo(expected);
    }

    /* The edges of the graph are those that the oracle reads from the documents, in both directions. */
    private void checkDependents(NaiveRenderer after) {
        Map<DocumentId, Set<DocumentId>> reads = after.reads();
        Map<DocumentId, Set<DocumentId>> dependents = new TreeMap<>();
        reads.keySet().forEach(id -> dependents.put(id, new TreeSet<>()));
        reads.forEach((id, read) -> read.forEach(each -> dependents.get(each).add(id)));
        dependents.forEach((id, expected) -> {
            Set<DocumentId> actual = new TreeSet<>();
            graph().forEachDependent(
                            id, (dependent, dependency) -> actual.add(dependent), new ChangeEffort(Long.MAX_VALUE));
            assertThat(actual).as("dependents of " + id).isEqualTo(expected);
        });
        reads.forEach((id, expected) -> {
            Set<DocumentId> actual = graph().dependencies(id).stream()
                    .map(Dependency::on)
                    .filter(Objects::nonNull)
                    .collect(Collectors.toCollection(TreeSet::new));
            assertThat(actual).as("dependencies of " + id).isEqualTo(expected);
        });
    }

    /* The seeds are exactly the documents that were edited, resolve differently or have another place. */
    private static void checkSeeds(Graph before, Plan plan) {
        Map<DocumentId, Facts> edits = new HashMap<>();
        plan.edits().forEach((id, edit) -> edits.put(id, edit.facts()));
        GraphUpdate update = GraphUpdate.of(before, edits, new ChangeEffort(Long.MAX_VALUE));
        Graph after = update.graph();
        Places placesBefore = new Places(before);
        Places places = new Places(after);
        Set<DocumentId> expected = new TreeSet<>();
        for (DocumentId id : after.documents()) {
            if (edits.containsKey(id)
                    || !before.dependencies(id).equals(after.dependencies(id))
                    || !abstractSources(before, id).equals(abstractSources(after, id))
                    || before.isInForce(id) != after.isInForce(id)
                    || !Objects.equals(placesBefore.problemOf(id), places.problemOf(id))
                    || (after.facts(id).isOperations() && !Objects.equals(before.target(id), after.target(id)))) {
                expected.add(id);
            }
        }
        assertThat(new TreeSet<>(update.seeds().keySet())).as("seeds").isEqualTo(expected);
    }

    /* A message tells authors who substitute from an abstract document. */
    private static Set<DocumentKey> abstractSources(Graph graph, DocumentId id) {
        return graph.facts(id) == null
                ? Set.of()
                : graph.facts(id).claims().sources().stream()
                        .filter(key ->
                                graph.source(key) == null && !graph.withKey(key).isEmpty())
                        .collect(Collectors.toSet());
    }

    private void checkMessages() {
        for (DocumentId id : graph().documents()) {
            Problem problem = workspace.head().evaluation(id).problem();
            if (problem != null && problem.message().endsWith("has to be concrete")) {
                assertThat(abstractSources(graph(), id)).as(problem.message()).isNotEmpty();
            } else if (problem != null && problem.message().matches("the source .* does not exist")) {
                assertThat(graph().facts(id).claims().sources())
                        .as(problem.message())
                        .anyMatch(key -> graph().withKey(key).isEmpty());
            }
        }
    }

    /* Each chain of reasons leads along existing dependencies to an edit, or to a document moved by an edit. */
    private void checkReasons(RenderReasons reasons, Plan plan) {
        for (DocumentId id : graph().documents()) {
            List<RenderReasons.Link> chain = reasons.chain(id);
            for (int i = 0; i < chain.size(); i++) {
                RenderReasons.Link link = chain.get(i);
                boolean isLast = i + 1 == chain.size();
                if (link.reason() instanceof Reason.Changed changed) {
                    assertThat(graph().dependencies(link.document())).contains(changed.dependency());
                    boolean goesRound = isLast
                            && chain.stream()
                                    .anyMatch(each -> each.document()
                                            .equals(changed.dependency().on()));
                    assertThat(goesRound
                                    || chain.get(i + 1)
                                            .document()
                                            .equals(changed.dependency().on()))
                            .as("%s because of %s", id, chain)
                            .isTrue();
                } else if (link.reason() instanceof Reason.Edited) {
                    assertThat(plan.edits()).containsKey(link.document());
                } else if (link.reason() == null) {
                    assertThat(link.verdict()).isEqualTo(Tracer.Verdict.CLEAN);
                    assertThat(chain).hasSize(1);
                }
            }
            if (plan.edits().containsKey(id)) {
                assertThat(chain).as("edited: " + id).isNotEmpty();
            }
        }
    }

    /* Data that other documents read has to be correct, too, even if it is not published. */
    private void checkData(NaiveRenderer after) {
        Set<DocumentId> wrong = new TreeSet<>();
        after.outcomes().forEach((id, outcome) -> {
            Value expected = outcome.data();
            if (expected != null) {
                boolean stored = workspace.head().graph().rendersAsPublished(id);
                Value actual = stored ? workspace.document(id).data() : workspace.data(id);
                if (!expected.equals(actual)
                        || !Secrets.marks(expected).equals(Secrets.marks(actual))
                        || !Fingerprint.asWritten(expected).equals(new Findings(workspace.head()).data(id))) {
                    wrong.add(id);
                }
            }
        });
        assertThat(wrong).as("documents with other data than the oracle's").isEmpty();
    }

    private void checkToldApart(Update update, NaiveRenderer after, ToldApart apart) {
        after.outcomes().forEach((id, outcome) -> {
            if (outcome.data() != null) {
                boolean stored = workspace.head().graph().rendersAsPublished(id);
                apart.check(id, stored ? workspace.document(id).data() : workspace.data(id));
            }
        });
        after.derived().values().stream()
                .filter(keys -> keys != null && update.status() != Status.FAILED)
                .flatMap(Set::stream)
                .filter(after.rendered()::containsKey)
                .forEach(key ->
                        apart.checkDerived(key, workspace.published().get(key).get("data")));
    }

    private static String text(MapValue tree) {
        return Json.text(tree);
    }
}
