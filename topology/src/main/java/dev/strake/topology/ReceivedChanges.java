package dev.strake.topology;

import dev.strake.engine.document.Problem;
import dev.strake.engine.document.ProblemCode;
import dev.strake.serdes.change.ChangeEnvelope;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.store.ChangesLayout;
import dev.strake.serdes.store.ChangesLayout.Applied;
import dev.strake.serdes.store.ChangesLayout.AppliedAt;
import dev.strake.serdes.store.ChangesLayout.Waiting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/** The changes that were applied, so that none is applied twice, and the parts of those that are not complete. */
final class ReceivedChanges {

    /** Forgotten in one go: a punctuation must not hold up the stream. */
    private static final int FORGOTTEN_AT_ONCE = 1_000;

    private final KeyValueStore<Bytes, byte[]> store;
    private final TopologySettings settings;
    private long forgottenUpTo;

    ReceivedChanges(KeyValueStore<Bytes, byte[]> store, TopologySettings settings) {
        this.store = store;
        this.settings = settings;
    }

    /** What became of a part: either the bodies of all parts, or why there is nothing to apply yet. */
    record Part(List<byte[]> bodies, List<Problem> rejections, List<Problem> warnings) {

        boolean isComplete() {
            return bodies != null;
        }
    }

    /** What became of a change that was applied before; null if it was not. */
    Applied applied(ChangeEnvelope envelope) {
        byte[] key = ChangesLayout.appliedKey(envelope.workspace(), envelope.changeId());
        byte[] value = store.get(Bytes.wrap(key));
        return value == null ? null : ChangesLayout.readApplied(key, value);
    }

    void remember(ChangeEnvelope envelope, OutcomeStatus status, long revision, long now) {
        String workspace = envelope.workspace();
        String changeId = envelope.changeId();
        put(
                ChangesLayout.appliedKey(workspace, changeId),
                ChangesLayout.writeApplied(new Applied(status, revision, now)));
        put(ChangesLayout.appliedAtKey(now, workspace, changeId), ChangesLayout.writeAppliedAt());
    }

    /** Whether parts of a change have come, and others not. */
    boolean isWaiting(ChangeEnvelope envelope) {
        return store.get(Bytes.wrap(ChangesLayout.waitingKey(envelope.workspace(), envelope.changeId()))) != null;
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
            if (waiting.came().contains(envelope.part())) {
                return again(envelope, body);
            }
        }
        byte[] bytes = body == null ? new byte[0] : body;
        long sum = bytes.length + (waiting == null ? 0 : waiting.bytes());
        if (sum > settings.limits().changeBytes()) {
            forget(envelope, waiting);
            return new Part(
                    null,
                    List.of(Problem.of(
                            ProblemCode.LIMIT_EXCEEDED,
                            "the change has more than " + settings.limits().changeBytes() + " bytes in all parts",
                            "cut it into several changes")),
                    List.of());
        }
        List<Integer> came = new ArrayList<>(waiting == null ? List.of() : waiting.came());
        came.add(envelope.part());
        if (came.size() == envelope.parts()) {
            return new Part(complete(envelope, bytes, waiting), List.of(), List.of());
        }
        put(ChangesLayout.partKey(envelope.workspace(), envelope.changeId(), envelope.part()), bytes);
        put(key, ChangesLayout.writeWaiting(new Waiting(envelope, waiting == null ? now : waiting.since(), sum, came)));
        return new Part(null, List.of(), List.of());
    }

    /* A part that came before: harmless if it is the same, a mistake if it is not. */
    private Part again(ChangeEnvelope envelope, byte[] body) {
        byte[] first = store.get(Bytes.wrap(partKey(envelope, envelope.part())));
        if (Arrays.equals(first, body == null ? new byte[0] : body)) {
            Problem warning = Problem.of(
                    ProblemCode.INVALID_CHANGE,
                    "part " + envelope.part() + " came before, with the same content",
                    null);
            return new Part(null, List.of(), List.of(warning));
        }
        Problem problem = Problem.of(
                ProblemCode.INVALID_CHANGE,
                "part " + envelope.part() + " came before, with other content; the first one stays",
                "publish all parts again, with a new ce_id");
        return new Part(null, List.of(problem), List.of());
    }

    private List<byte[]> complete(ChangeEnvelope last, byte[] body, Waiting waiting) {
        List<byte[]> bodies = new ArrayList<>();
        for (int part = 1; part <= last.parts(); part++) {
            bodies.add(part == last.part() ? body : store.get(Bytes.wrap(partKey(last, part))));
        }
        forget(last, waiting);
        return bodies;
    }

    private void forget(ChangeEnvelope envelope, Waiting waiting) {
        if (waiting != null) {
            waiting.came().forEach(part -> forget(partKey(envelope, part)));
            forget(ChangesLayout.waitingKey(envelope.workspace(), envelope.changeId()));
        }
    }

    /** Gives up changes that have waited for their parts too long, and returns the envelopes of their last parts. */
    List<ChangeEnvelope> giveUp(long now) {
        List<Waiting> late = new ArrayList<>();
        Search.scan(store, ChangesLayout.waitingPrefix(), (key, value) -> {
            Waiting waiting = ChangesLayout.readWaiting(key, value);
            if (now - waiting.since() >= settings.incompleteAfter().toMillis()) {
                late.add(waiting);
            }
        });
        late.forEach(waiting -> forget(waiting.envelope(), waiting));
        return late.stream().map(Waiting::envelope).toList();
    }

    /** Forgets the ids of changes that were applied long ago, some at a time. */
    void forgetOld(long now) {
        long until = now - settings.forgetChangesAfter().toMillis();
        if (until <= forgottenUpTo) {
            return;
        }
        List<Bytes> old = new ArrayList<>();
        Bytes from = Bytes.wrap(ChangesLayout.appliedBefore(forgottenUpTo));
        Bytes to = Bytes.wrap(ChangesLayout.appliedBefore(until));
        try (KeyValueIterator<Bytes, byte[]> entries = store.range(from, to)) {
            while (entries.hasNext() && old.size() < FORGOTTEN_AT_ONCE) {
                KeyValue<Bytes, byte[]> entry = entries.next();
                old.add(entry.key);
            }
        }
        for (Bytes key : old) {
            AppliedAt applied = ChangesLayout.appliedAt(key.get());
            forget(ChangesLayout.appliedKey(applied.workspace(), applied.changeId()));
            forget(key.get());
            forgottenUpTo = applied.time(); // the next search begins here, not with all that is deleted already
        }
    }

    private static byte[] partKey(ChangeEnvelope envelope, int part) {
        return ChangesLayout.partKey(envelope.workspace(), envelope.changeId(), part);
    }

    /* A delete of the store would read first what it deletes. */
    private void forget(byte[] key) {
        store.put(Bytes.wrap(key), null);
    }

    private void put(byte[] key, byte[] value) {
        store.put(Bytes.wrap(key), value);
    }
}
