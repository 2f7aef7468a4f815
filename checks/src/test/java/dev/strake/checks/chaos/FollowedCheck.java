package dev.strake.checks.chaos;

import static dev.strake.checks.chaos.WorkspaceCheck.place;

import dev.strake.checks.chaos.Followed.Delivered;
import dev.strake.client.RenderedUpdate.Kind;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.serdes.TopicNames;
import dev.strake.serdes.change.WorkspaceKey;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.rendered.RenderedHeaders;
import dev.strake.serdes.rendered.RenderedKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Checks what a {@link dev.strake.client.Subscription} delivered of one workspace against the published records. Every
 * update must lead to the set of its revision. No update may be skipped, or delivered again to a follower that has it.
 * A snapshot is allowed only at the start, or if records after the follower's position were compacted away.
 */
public final class FollowedCheck {

    private final String workspace;
    private final Predicate<ConsumerRecord<byte[], byte[]>> isLeft;
    private final Verdict verdict;
    private final List<ConsumerRecord<byte[], byte[]>> rendered;
    private final long[] revisions; // of the rendered records, cached because records are in a file
    private final long lastGoneRecord;
    private final long lastGoneOutcome;
    private final List<ConsumerRecord<byte[], byte[]>> outcomes = new ArrayList<>();
    private final Map<Long, String> hashes = new HashMap<>();
    private final Map<Integer, Standing> kept = new HashMap<>();

    /* The documents published up to a revision, updated record by record. */
    private final SortedMap<DocumentKey, String> published = new TreeMap<>();
    private View view = new View();
    private int taken;

    /**
     * The state of a follower.
     *
     * @param revision the revision of the last update; -1 before the first one
     * @param held the hash of each document
     * @param recordsFrom the offset after the last update in the topic of rendered documents
     * @param outcomesFrom the offset after the last update in the topic of outcomes
     */
    private record Standing(long revision, SortedMap<DocumentKey, String> held, long recordsFrom, long outcomesFrom) {

        static final Standing BEFORE = new Standing(-1, new TreeMap<>(), 0, 0);
    }

    private FollowedCheck(
            String workspace, History history, Predicate<ConsumerRecord<byte[], byte[]>> isLeft, Verdict verdict) {
        this.workspace = workspace;
        this.isLeft = isLeft;
        this.verdict = verdict;
        int home = WorkspaceKey.partition(workspace, history.partitions());
        this.rendered = history.topic(TopicNames.RENDERED).stream()
                .filter(each -> each.partition() == home
                        && RenderedKey.of(each.key()).workspace().equals(workspace))
                .toList();
        this.revisions = rendered.stream().mapToLong(DocumentsCheck::revision).toArray();
        for (ConsumerRecord<byte[], byte[]> each : history.topic(TopicNames.OUTCOMES)) {
            Outcome outcome = OutcomeJson.read(each.value());
            if (each.partition() == home
                    && outcome.workspace().equals(workspace)
                    && outcome.revision() != null
                    && outcome.status() != OutcomeStatus.PLANNED) {
                outcomes.add(each);
                hashes.put(outcome.revision(), outcome.published().contentHash());
            }
        }
        this.lastGoneRecord = lastGone(rendered);
        this.lastGoneOutcome = lastGone(outcomes);
    }

    private long lastGone(List<ConsumerRecord<byte[], byte[]>> published) {
        return published.stream()
                .filter(each -> !isLeft.test(each))
                .mapToLong(ConsumerRecord::offset)
                .max()
                .orElse(-1);
    }

    /**
     * Checks one follower of one workspace, from its start to its last update.
     *
     * @param history everything that was ever published
     * @param isLeft whether a record was still in its topic when the follower read the topic
     */
    public static void check(
            String workspace,
            List<Followed> story,
            History history,
            Predicate<ConsumerRecord<byte[], byte[]>> isLeft,
            Verdict verdict) {
        new FollowedCheck(workspace, history, isLeft, verdict).run(story);
    }

    /** Whether a follower has received everything published of a workspace, even if it resumed from a checkpoint. */
    public static boolean isAtEnd(String workspace, List<Followed> story, History history) {
        FollowedCheck check = new FollowedCheck(workspace, history, each -> true, new Verdict());
        long last = check.rendered.isEmpty() ? 0 : check.revisions[check.revisions.length - 1];
        Map<Integer, Long> revisionsKept = new HashMap<>();
        long revision = Standing.BEFORE.revision();
        for (Followed each : story) {
            if (each instanceof Followed.Opened) {
                revision = Standing.BEFORE.revision();
            } else if (each instanceof Followed.Resumed resumed) {
                revision = revisionsKept.get(resumed.checkpoint());
            } else if (each instanceof Followed.Kept keeping) {
                revisionsKept.put(keeping.checkpoint(), revision);
            } else if (each instanceof Delivered delivered) {
                revision = delivered.revision();
            }
        }
        return revision >= last;
    }

    private void run(List<Followed> story) {
        Standing standing = Standing.BEFORE;
        boolean isNew = true;
        for (Followed each : story) {
            if (each instanceof Followed.Opened) {
                standing = Standing.BEFORE;
                isNew = true;
            } else if (each instanceof Followed.Resumed resumed) {
                standing = kept.get(resumed.checkpoint());
                isNew = false;
            } else if (each instanceof Followed.Kept keeping) {
                kept.put(keeping.checkpoint(), standing);
            } else if (each instanceof Followed.Failed failed) {
                broke("the subscription ended: " + failed.how());
            } else if (each instanceof Delivered delivered) {
                checkStep(standing, isNew, delivered);
                standing = after(standing, delivered);
                checkSet(standing, delivered);
                isNew = false;
                verdict.looked(Promise.FOLLOWED, "updates");
            }
        }
        advance(Long.MAX_VALUE);
        if (!standing.held().equals(published)) {
            broke("the follower came to revision %d, and holds something else than was published in the end"
                    .formatted(standing.revision()));
        }
    }

    /* Checks that this update may be the next one. */
    private void checkStep(Standing before, boolean isNew, Delivered update) {
        boolean isGone = isGone(before);
        if (isNew ? update.kind() == Kind.REVISION : update.kind() == Kind.SNAPSHOT) {
            broke("%s came %s".formatted(named(update), isNew ? "first" : "to somebody who had the set already"));
        }
        if (update.kind() == Kind.COMPACTED && !isGone) {
            broke("%s, though everything is there from offsets %d and %d on"
                    .formatted(named(update), before.recordsFrom(), before.outcomesFrom()));
        }
        if (update.kind() == Kind.REVISION
                ? update.revision() <= before.revision()
                : update.revision() < before.revision()) {
            broke("%s came behind revision %d".formatted(named(update), before.revision()));
        }
        if (update.kind() == Kind.REVISION && !isGone) {
            IntStream.range(0, revisions.length)
                    .filter(i -> revisions[i] > before.revision() && revisions[i] < update.revision())
                    .mapToObj(rendered::get)
                    .findFirst()
                    .ifPresent(each -> broke("%s came behind revision %d, and the record at %s is of one between them"
                            .formatted(named(update), before.revision(), place(each))));
        }
    }

    /* Whether a record published after the follower's position was removed from its topic. */
    private boolean isGone(Standing standing) {
        return lastGoneRecord >= standing.recordsFrom() || lastGoneOutcome >= standing.outcomesFrom();
    }

    private Standing after(Standing before, Delivered update) {
        SortedMap<DocumentKey, String> held = new TreeMap<>();
        if (update.kind() == Kind.REVISION) {
            held.putAll(before.held());
        } else if (!update.removed().isEmpty()) {
            broke("%s is the whole set, and tells of removed documents".formatted(named(update)));
        }
        held.putAll(update.put());
        held.keySet().removeAll(update.removed());
        return new Standing(update.revision(), held, update.rendered(), update.outcomes());
    }

    /* Checks that the update led to the set of its revision. */
    private void checkSet(Standing standing, Delivered update) {
        if (update.revision() == 0) {
            checkWithoutOutcome(standing, update);
            return;
        }
        advance(update.revision());
        if (!standing.held().equals(published)) {
            broke("%s leads to another set than was published: %s".formatted(named(update), difference(standing)));
        }
        if (!update.contentHash().equals(hashes.get(update.revision()))
                || !update.contentHash().equals(view.hash())) {
            broke("%s has hash %s, its outcome tells %s, the records come to %s"
                    .formatted(named(update), update.contentHash(), hashes.get(update.revision()), view.hash()));
        }
    }

    private void checkWithoutOutcome(Standing standing, Delivered update) {
        boolean hadOutcome = outcomes.stream().anyMatch(each -> each.offset() < update.outcomes() && isLeft.test(each));
        if (hadOutcome) {
            broke("%s has no outcome, though there was one".formatted(named(update)));
        }
        View before = new View();
        rendered.stream()
                .filter(each -> each.offset() < update.rendered())
                .forEach(each -> before.take(RenderedKey.of(each.key()).document(), each.value()));
        if (standing.held().size() != before.size() || !update.contentHash().equals(before.hash())) {
            broke("%s is not the set that was there".formatted(named(update)));
        }
    }

    private void advance(long revision) {
        if (taken > 0 && revisions[taken - 1] > revision) {
            published.clear();
            view = new View();
            taken = 0;
        }
        while (taken < rendered.size() && revisions[taken] <= revision) {
            ConsumerRecord<byte[], byte[]> each = rendered.get(taken++);
            DocumentKey key = RenderedKey.of(each.key()).document();
            view.take(key, each.value());
            if (each.value() == null) {
                published.remove(key);
            } else {
                published.put(key, RenderedHeaders.contentHash(each.value()));
            }
        }
    }

    private String difference(Standing standing) {
        Optional<DocumentKey> other = published.keySet().stream()
                .filter(key -> !published.get(key).equals(standing.held().get(key)))
                .findFirst();
        return other.map(key -> key + (standing.held().containsKey(key) ? " differs" : " is missing"))
                .orElseGet(() -> {
                    SortedMap<DocumentKey, String> more = new TreeMap<>(standing.held());
                    more.keySet().removeAll(published.keySet());
                    return more.firstKey() + " should not be there";
                });
    }

    private static String named(Delivered update) {
        return "revision %d (%s)".formatted(update.revision(), update.kind());
    }

    private void broke(String how) {
        verdict.broke(Promise.FOLLOWED, workspace + ": " + how);
    }
}
