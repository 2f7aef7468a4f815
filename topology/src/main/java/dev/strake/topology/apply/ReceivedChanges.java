package dev.strake.topology.apply;

import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.serdes.change.ChangeEnvelope;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.store.ChangesLayout;
import dev.strake.serdes.store.ChangesLayout.Applied;
import dev.strake.serdes.store.ChangesLayout.Waiting;
import dev.strake.topology.store.Search;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The ids of applied changes, so that no change is applied twice, and the parts of incomplete changes.
 *
 * <p>Ids that are too old are found by going round all entries in the order of their keys. Two entries are checked for
 * each change that arrives, so a round ends before the number of entries can double. This needs no index by time, which
 * would have to be written and deleted for every change.
 */
final class ReceivedChanges {

    /** After this many changes, twice as many entries are checked for their age. */
    private static final int CHANGES_BETWEEN = 100;

    /** Number of entries that are checked in a pause; more would delay the next change. */
    private static final int LOOKED_AT_IN_PAUSE = 1_000;

    private static final Bytes FIRST = Bytes.wrap(ChangesLayout.appliedPrefix());
    private static final Bytes LAST = Bytes.wrap(ChangesLayout.appliedEnd());

    private final KeyValueStore<Bytes, byte[]> store;
    private final Intake intake;
    private Bytes lookedAt = FIRST;
    private int changesSinceLook;
    private int incomplete;

    ReceivedChanges(KeyValueStore<Bytes, byte[]> store, Intake intake) {
        this.store = store;
        this.intake = intake;
        Search.scan(store, ChangesLayout.waitingPrefix(), (key, value) -> incomplete++);
    }

    /** The result of receiving a part: the bodies of all parts, or the reasons why there is nothing to apply yet. */
    record Part(List<byte[]> bodies, List<Problem> rejections, List<Problem> warnings) {

        boolean isComplete() {
            return bodies != null;
        }
    }

    /** Whether a change was applied before and its id is still remembered. */
    boolean wasApplied(ChangeEnvelope envelope) {
        return store.get(Bytes.wrap(ChangesLayout.appliedKey(envelope.workspace(), envelope.changeId()))) != null;
    }

    void remember(ChangeEnvelope envelope, OutcomeStatus status, long revision, long now) {
        put(
                ChangesLayout.appliedKey(envelope.workspace(), envelope.changeId()),
                ChangesLayout.writeApplied(new Applied(status, revision, now)));
        if (++changesSinceLook == CHANGES_BETWEEN) {
            forgetOld(now, 2 * CHANGES_BETWEEN);
        }
    }

    /** Whether some parts of a change have arrived and others have not. */
    boolean isWaiting(ChangeEnvelope envelope) {
        return incomplete > 0
                && store.get(Bytes.wrap(ChangesLayout.waitingKey(envelope.workspace(), envelope.changeId()))) != null;
    }

    /** Takes in a record of a change in several parts. */
    Part take(ChangeEnvelope envelope, byte[] body, long now) {
        byte[] key = ChangesLayout.waitingKey(envelope.workspace(), envelope.changeId());
        byte[] value = store.get(Bytes.wrap(key));
        Waiting waiting = value == null ? null : ChangesLayout.readWaiting(key, value);
        if (waiting != null) {
            List<Problem> disagreements = envelope.disagreements(waiting.envelope());
            if (!disagreements.isEmpty()) {
                return new Part(null, disagreements, List.of());
            }
            if (waiting.came().contains(envelope.part().number())) {
                return repeated(envelope, body);
            }
        }
        byte[] bytes = body == null ? new byte[0] : body;
        long sum = bytes.length + (waiting == null ? 0 : waiting.bytes());
        if (sum > intake.limits().changeBytes()) {
            forget(envelope, waiting);
            return new Part(
                    null,
                    List.of(Problem.of(
                            ProblemCode.LIMIT_EXCEEDED,
                            "the change has more than " + intake.limits().changeBytes() + " bytes in all parts",
                            "cut it into several changes")),
                    List.of());
        }
        List<Integer> came = new ArrayList<>(waiting == null ? List.of() : waiting.came());
        came.add(envelope.part().number());
        if (came.size() == envelope.part().of()) {
            return new Part(complete(envelope, bytes, waiting), List.of(), List.of());
        }
        put(
                ChangesLayout.partKey(
                        envelope.workspace(),
                        envelope.changeId(),
                        envelope.part().number()),
                bytes);
        incomplete += waiting == null ? 1 : 0;
        put(key, ChangesLayout.writeWaiting(new Waiting(envelope, waiting == null ? now : waiting.since(), sum, came)));
        return new Part(null, List.of(), List.of());
    }

    /* A part that arrived before: a warning if its content is the same, otherwise a rejection. */
    private Part repeated(ChangeEnvelope envelope, byte[] body) {
        byte[] first = store.get(Bytes.wrap(partKey(envelope, envelope.part().number())));
        if (Arrays.equals(first, body == null ? new byte[0] : body)) {
            Problem warning = Problem.of(
                    ProblemCode.INVALID_CHANGE,
                    "part " + envelope.part().number() + " came before, with the same content",
                    null);
            return new Part(null, List.of(), List.of(warning));
        }
        Problem problem = Problem.of(
                ProblemCode.INVALID_CHANGE,
                "part " + envelope.part().number() + " came before, with other content; the first one stays",
                "publish all parts again, with a new ce_id");
        return new Part(null, List.of(problem), List.of());
    }

    private List<byte[]> complete(ChangeEnvelope last, byte[] body, Waiting waiting) {
        List<byte[]> bodies = new ArrayList<>();
        for (int part = 1; part <= last.part().of(); part++) {
            bodies.add(part == last.part().number() ? body : store.get(Bytes.wrap(partKey(last, part))));
        }
        forget(last, waiting);
        return bodies;
    }

    private void forget(ChangeEnvelope envelope, Waiting waiting) {
        if (waiting != null) {
            waiting.came().forEach(part -> forget(partKey(envelope, part)));
            forget(ChangesLayout.waitingKey(envelope.workspace(), envelope.changeId()));
            incomplete--;
        }
    }

    /** Gives up changes that waited too long for parts. Returns the envelope of the last part of each. */
    List<ChangeEnvelope> giveUp(long now) {
        if (incomplete == 0) {
            return List.of();
        }
        List<Waiting> late = new ArrayList<>();
        Search.scan(store, ChangesLayout.waitingPrefix(), (key, value) -> {
            Waiting waiting = ChangesLayout.readWaiting(key, value);
            if (now - waiting.since() >= intake.incompleteAfter().toMillis()) {
                late.add(waiting);
            }
        });
        late.forEach(waiting -> forget(waiting.envelope(), waiting));
        return late.stream().map(Waiting::envelope).toList();
    }

    /** Checks the next few ids and forgets those of changes applied long ago. After the last id it starts again. */
    void forgetOld(long now) {
        forgetOld(now, LOOKED_AT_IN_PAUSE);
    }

    private void forgetOld(long now, int most) {
        long until = now - intake.forgetChangesAfter().toMillis();
        List<Bytes> old = new ArrayList<>();
        changesSinceLook = 0;
        int seen = 0;
        try (KeyValueIterator<Bytes, byte[]> entries = store.range(lookedAt, LAST)) {
            for (; entries.hasNext() && seen < most; seen++) {
                KeyValue<Bytes, byte[]> entry = entries.next();
                lookedAt = entry.key;
                if (ChangesLayout.readApplied(entry.key.get(), entry.value).time() < until) {
                    old.add(entry.key);
                }
            }
        }
        if (seen < most) {
            lookedAt = FIRST;
        }
        old.forEach(key -> store.put(key, null));
    }

    private static byte[] partKey(ChangeEnvelope envelope, int part) {
        return ChangesLayout.partKey(envelope.workspace(), envelope.changeId(), part);
    }

    /* The store's own delete reads the old value first, to return it. */
    private void forget(byte[] key) {
        store.put(Bytes.wrap(key), null);
    }

    private void put(byte[] key, byte[] value) {
        store.put(Bytes.wrap(key), value);
    }
}
