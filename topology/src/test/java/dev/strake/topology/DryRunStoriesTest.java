package dev.strake.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.render.Tracer;
import dev.strake.engine.secret.Redaction;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.workspace.Preview;
import dev.strake.engine.workspace.Preview.Differing;
import dev.strake.engine.workspace.Workspace;
import dev.strake.serdes.change.ChangeEnvelope;
import dev.strake.serdes.change.RejectedChangeException;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.text.Limits;
import dev.strake.topology.RandomPublisher.Sent;
import dev.strake.topology.apply.DryRun;
import dev.strake.topology.query.Differences;
import dev.strake.topology.query.WorkspaceQueries;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * A dry run predicts what the change then does, in the stream and outside it, and writes only an outcome. It reports
 * where secrets would differ, but not their values.
 *
 * <p>{@code -Dstrake.seed=N} repeats the stories, {@code -Dstrake.changes=N} sends N changes with each setting of
 * {@code on-problem}.
 */
class DryRunStoriesTest {

    private static final int CHANGES = Integer.getInteger("strake.changes", 300);
    private static final int CHANGES_IN_A_STORY = 50;
    /** The prefix of all secrets in these stories. */
    private static final String TOKEN = "t0ken-";

    private static final Duration UNTIL_HEADS_ARE_DROPPED = Duration.ofHours(1);

    private final long seed = Long.getLong("strake.seed", System.nanoTime());
    private final Set<OutcomeStatus> seen = EnumSet.noneOf(OutcomeStatus.class);
    private final Set<Differing.Kind> kinds = EnumSet.noneOf(Differing.Kind.class);
    private final Set<Boolean> shownRedacted = new HashSet<>();
    private TestKeys keys = TestKeys.none();
    private boolean hasWaiting;
    private int planted;

    @Test
    void shouldPredictTheChange() {
        tellStories(TopologySettings.of(1));
        assertThat(seen).contains(OutcomeStatus.RENDERED, OutcomeStatus.FAILED, OutcomeStatus.REJECTED);
        assertThat(kinds).containsExactlyInAnyOrder(Differing.Kind.values());
        assertThat(hasWaiting).isTrue();
    }

    @Test
    void shouldPredictTheChangeWithDocumentsHeldBack() {
        tellStories(TopologySettings.of(1).holdingDocuments(true));
        assertThat(seen).contains(OutcomeStatus.RENDERED, OutcomeStatus.PARTIAL, OutcomeStatus.REJECTED);
    }

    @Test
    void shouldPredictTheChangeWithRotatedKeys() {
        keys = TestKeys.created();
        tellStories(keys.in(TopologySettings.of(1)));
        assertThat(seen).contains(OutcomeStatus.RENDERED, OutcomeStatus.FAILED, OutcomeStatus.REJECTED);
        assertThat(kinds).containsExactlyInAnyOrder(Differing.Kind.values());
        assertThat(hasWaiting).isTrue();
        assertThat(shownRedacted).as("with secret documents, and with others").containsExactlyInAnyOrder(true, false);
    }

    @Test
    void shouldPredictTheChangeWithRotatedKeysAndDocumentsHeldBack() {
        keys = TestKeys.created();
        tellStories(keys.in(TopologySettings.of(1).holdingDocuments(true)));
        assertThat(seen).contains(OutcomeStatus.RENDERED, OutcomeStatus.PARTIAL, OutcomeStatus.REJECTED);
        assertThat(shownRedacted).containsExactlyInAnyOrder(true, false);
    }

    private boolean hasKeys() {
        return keys.current().areThere();
    }

    private void tellStories(TopologySettings settings) {
        DryRun dryRun = new DryRun(settings.intake(), settings.rendering(), settings.secrets());
        try (TopologyHarness strake = new TopologyHarness(settings)) {
            for (int story = 0; story < Math.max(1, CHANGES / CHANGES_IN_A_STORY); story++) {
                new Told(strake, dryRun, story).tell();
            }
        }
    }

    private final class Told {

        private final TopologyHarness strake;
        private final DryRun dryRun;
        private final long storySeed;
        private final SplittableRandom random;
        private final String workspace;
        private final StringBuilder text = new StringBuilder();
        private final Map<String, MapValue> held = new TreeMap<>();

        Told(TopologyHarness strake, DryRun dryRun, int story) {
            this.strake = strake;
            this.dryRun = dryRun;
            this.storySeed = seed + story;
            this.random = new SplittableRandom(storySeed);
            this.workspace = "story-" + storySeed; // the changes depend on this name, too
        }

        void tell() {
            RandomPublisher publisher = new RandomPublisher(random, workspace);
            int rotation = random.nextInt(CHANGES_IN_A_STORY);
            Outcome last = null;
            try {
                for (int step = 0; step < CHANGES_IN_A_STORY; step++) {
                    if (hasKeys() && step == rotation) {
                        text.append("the key is replaced\n");
                        keys.rotate();
                    }
                    if (random.nextInt(10) == 0) {
                        text.append("the head is read from the stores again\n");
                        strake.advance(UNTIL_HEADS_ARE_DROPPED);
                    }
                    Sent next = publisher.next(strake, last);
                    if (hasKeys()) {
                        next = next.withMoreSecrets(random).withTokens(() -> TOKEN + planted++);
                    }
                    text.append(next.type()).append(' ').append(next.value());
                    if (random.nextInt(5) == 0) {
                        tryOnAnEarlierRevision(next);
                    }
                    DryRun.Result beside = beside(next, redaction());
                    MapValue inOutcome =
                            beside(next, Redaction.PLACES).outcome().planned().preview();
                    Outcome planned = inTheStream(next);
                    Set<String> published = published().keySet();
                    Set<Problem> problemsBefore = problems();
                    Outcome made = next.to(strake, workspace);
                    text.append(" → ").append(made.status()).append('\n');
                    seen.add(made.status());
                    if (made.status() == OutcomeStatus.DUPLICATE) {
                        continue; // a dry run outside the stream does not look up ids
                    }
                    assertThat(planned.planned().wouldBe()).isEqualTo(made.status());
                    assertThat(planned.planned().preview()).isEqualTo(inOutcome);
                    assertThat(said(planned)).isEqualTo(said(made));
                    assertThat(said(beside.outcome())).as("beside the stream").isEqualTo(said(made));
                    compare(beside, published);
                    if (made.status().isOfRevision()) {
                        last = made;
                        Preview preview = beside.preview().orElseThrow();
                        compareProblems(preview, problemsBefore);
                        compareWaiting(preview, made);
                        makeAgain(made, preview.update().work().cutOff());
                    }
                }
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(
                        "-Dstrake.seed=%d -Dstrake.changes=%d%n%s".formatted(storySeed, CHANGES_IN_A_STORY, text), e);
            }
        }

        private Set<Problem> problems() {
            return new HashSet<>(strake.queries().open(workspace).problems(Integer.MAX_VALUE));
        }

        private void compareProblems(Preview preview, Set<Problem> before) {
            Set<Problem> appeared = problems();
            Set<Problem> vanished = new HashSet<>(before);
            vanished.removeAll(appeared);
            int staying = before.size() - vanished.size();
            appeared.removeAll(before);
            assertThat(preview.appearing()).containsExactlyInAnyOrderElementsOf(appeared);
            assertThat(preview.vanishing()).containsExactlyInAnyOrderElementsOf(vanished);
            assertThat(preview.staying()).hasSize(staying);
        }

        /* The preview lists what differs between the stored revisions and is not missing because of a problem. */
        private void compareWaiting(Preview preview, Outcome made) {
            Set<DocumentKey> waiting = new TreeSet<>();
            if (made.status() == OutcomeStatus.FAILED) {
                Differences differences = Whole.diff(strake.queries(), workspace, made.revision() - 1, made.revision());
                differences.rendered().forEach((key, difference) -> {
                    if (difference != Differences.Difference.DELETED
                            || !differences.problems().containsKey(key)) {
                        waiting.add(key);
                    }
                });
                hasWaiting |= !waiting.isEmpty();
            }
            assertThat(preview.waiting()).extracting(Differing::key).containsAll(waiting);
            assertThat(preview.waiting())
                    .filteredOn(each -> !waiting.contains(each.key()))
                    .as("of the same content, with other masks or secret places")
                    .allMatch(Differing::isSecret);
        }

        /* Repeats the change from the stores, as an explanation does. It reaches what it reached in the stream. */
        private void makeAgain(Outcome made, int cutOff) {
            WorkspaceQueries queries = strake.queries();
            Workspace head = queries.open(workspace);
            Preview.Base base = queries.base(workspace, head);
            List<Tracer.Verdict> reached = new ArrayList<>();
            try {
                Preview.Base before =
                        dryRun.backTo(workspace, base, queries.editsBackTo(workspace, head, made.revision() - 1));
                Workspace after = dryRun.again(
                        workspace,
                        before,
                        queries.editsBetween(workspace, made.revision() - 1, made.revision()),
                        (document, reason, verdict) -> reached.add(verdict));
                assertThat(new TreeSet<>(after.graph().documents()))
                        .isEqualTo(new TreeSet<>(head.graph().documents()));
                after.graph().documents().forEach(id -> {
                    assertThat(after.evaluation(id).problem())
                            .isEqualTo(head.evaluation(id).problem());
                    assertThat(after.evaluation(id).data())
                            .isEqualTo(head.evaluation(id).data());
                });
            } catch (RejectedChangeException e) {
                throw new AssertionError(e);
            }
            assertThat(reached)
                    .as("reached by revision %d", made.revision())
                    .hasSize(made.work().affected());
            assertThat(Collections.frequency(reached, Tracer.Verdict.CUT_OFF))
                    .as("cut off by revision %d", made.revision())
                    .isEqualTo(cutOff);
        }

        private DryRun.Result beside(Sent next, Redaction shown) {
            WorkspaceQueries queries = strake.queries();
            Workspace head = queries.open(workspace);
            return beside(next, queries.base(workspace, head), shown);
        }

        private DryRun.Result beside(Sent next, Preview.Base base, Redaction shown) {
            WorkspaceQueries queries = strake.queries();
            ChangeEnvelope.Reading reading = ChangeEnvelope.read(
                    workspace, TopologyHarness.headers(next.headers()), "t", 0, 0, 0, Limits.DEFAULT);
            assertThat(reading.problems()).isEmpty();
            return dryRun.of(
                    reading.envelope(),
                    next.value().getBytes(StandardCharsets.UTF_8),
                    base,
                    number -> queries.editsBackTo(workspace, base.head(), number),
                    shown,
                    0);
        }

        /* A change tried on an earlier revision does the same as after a rollback to that revision. */
        private void tryOnAnEarlierRevision(Sent next) {
            WorkspaceQueries queries = strake.queries();
            Workspace head = queries.open(workspace);
            if (next.type().equals("revision.rollback") || head.revision() == 0) {
                return;
            }
            long revision = random.nextLong(head.revision() + 1);
            DryRun.Result tried;
            try {
                Preview.Base now = queries.base(workspace, head);
                Preview.Base then = dryRun.backTo(workspace, now, queries.editsBackTo(workspace, head, revision));
                tried = beside(next, then, redaction());
            } catch (RejectedChangeException e) {
                throw new AssertionError(e);
            }
            text.append("rollback to ").append(revision).append('\n');
            strake.send(workspace, "{revision: " + revision + "}", "ce_type", "dev.strake.revision.rollback");
            takeUp();
            DryRun.Result after = beside(next, redaction());
            assertThat(tried.outcome().planned().wouldBe())
                    .isEqualTo(after.outcome().planned().wouldBe());
            assertThat(tried.outcome().documents()).isEqualTo(after.outcome().documents());
            assertThat(tried.preview().map(Preview::rendered))
                    .isEqualTo(after.preview().map(Preview::rendered));
            assertThat(tried.preview().map(Preview::appearing))
                    .isEqualTo(after.preview().map(Preview::appearing));
        }

        private Outcome inTheStream(Sent next) {
            Map<String, Map<String, byte[]>> before = strake.dump();
            Outcome planned = strake.send(workspace, next.value(), next.headers("ce_id", next.id(), "dry-run", "true"));
            if (planned.status() != OutcomeStatus.DUPLICATE) {
                assertThat(planned.status()).isEqualTo(OutcomeStatus.PLANNED);
            }
            assertThat(strake.lastRecords())
                    .as("records beside the outcome")
                    .hasSize(1)
                    .noneMatch(record -> record.contains(TOKEN));
            TopologyHarness.assertSameState(strake.dump(), before);
            return planned;
        }

        /* The outcome without its time and without the position of its record. */
        private Outcome said(Outcome outcome) {
            return new Outcome(
                    outcome.workspace(),
                    new Outcome.Change(
                            "",
                            outcome.change().type(),
                            outcome.change().bucket(),
                            "",
                            outcome.change().carried(),
                            outcome.change().note()),
                    null,
                    new Outcome.Result(outcome.revision(), outcome.documents(), outcome.work(), outcome.published()),
                    new Outcome.Findings(outcome.problems(), outcome.warnings()),
                    Instant.EPOCH,
                    null);
        }

        private void compare(DryRun.Result beside, Set<String> publishedBefore) {
            Map<String, MapValue> before = Map.copyOf(held);
            Map<String, MapValue> publishedAfter = published();
            takeUp();
            Map<String, MapValue> after = held;
            Map<String, Differing> differing = new TreeMap<>();
            beside.preview()
                    .ifPresent(preview -> preview.rendered()
                            .forEach(each -> differing.put(
                                    each.key().schema() + "|" + each.key().name(), each)));
            Set<String> published = new TreeSet<>();
            strake.lastRendered()
                    .forEach(each ->
                            published.add(TopologyHarness.text(each.key()).substring(workspace.length() + 1)));
            assertThat(differing.keySet()).as("documents that differ").isEqualTo(published);
            differing.forEach((key, each) -> {
                kinds.add(each.kind());
                assertThat(publishedBefore.contains(key)).as(key).isEqualTo(each.kind() != Differing.Kind.CREATED);
                assertThat(publishedAfter.containsKey(key)).as(key).isEqualTo(each.kind() != Differing.Kind.DELETED);
                Redaction shown = redaction();
                shownRedacted.add(each.isSecret());
                // In any order, because a rendering that differs only in the order of its keys is not published again.
                assertThat(each.changes())
                        .as(key)
                        .containsExactlyInAnyOrderElementsOf(
                                shown.changes(shown.rendered(before.get(key)), shown.rendered(after.get(key))));
            });
        }

        /* Remembers what consumers hold, in clear text. */
        private void takeUp() {
            Map<String, MapValue> rendered = rendered(published());
            strake.lastRendered().forEach(each -> {
                String key = TopologyHarness.text(each.key()).substring(workspace.length() + 1);
                if (each.value() == null) {
                    held.remove(key);
                } else {
                    held.put(key, rendered.get(key));
                }
            });
        }

        private Redaction redaction() {
            return hasKeys() ? Redaction.of(keys.current().keyedHash(), workspace) : Redaction.CLEARTEXT;
        }

        /* The published documents in clear text. Where records have masks, the documents are rendered again. */
        private Map<String, MapValue> rendered(Map<String, MapValue> published) {
            if (!hasKeys()) {
                return published;
            }
            WorkspaceQueries queries = strake.queries();
            Map<String, MapValue> result = new TreeMap<>();
            Whole.rendered(queries, workspace, queries.history().lastRevision(workspace))
                    .forEach(each -> {
                        String name = ((Text) ((MapValue) each.get("metadata")).get("name")).value();
                        result.put(((Text) each.get("schema")).value() + "|" + name, each);
                    });
            return result;
        }

        private Map<String, MapValue> published() {
            Map<String, MapValue> result = new TreeMap<>();
            strake.rendered().forEach((key, value) -> {
                if (key.startsWith(workspace + "|")) {
                    result.put(key.substring(workspace.length() + 1), (MapValue) JsonReader.read(value));
                }
            });
            return result;
        }
    }
}
