package dev.strake.topology.apply;

import dev.strake.engine.document.MissingKey;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.serdes.RecordSize;
import dev.strake.serdes.change.ChangeEnvelope;
import dev.strake.serdes.change.Payload;
import dev.strake.serdes.secret.InstalledKeys;
import dev.strake.serdes.secret.Purpose;
import dev.strake.serdes.secret.SecretKeyNotFoundException;
import dev.strake.serdes.secret.SecretKeys;
import dev.strake.topology.layout.ChangesLayout;
import dev.strake.topology.layout.ChangesLayout.Arrived;
import dev.strake.topology.layout.ChangesLayout.Waiting;
import dev.strake.topology.layout.SealedEntry;
import dev.strake.topology.store.Search;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The received parts of incomplete changes.
 *
 * <p>The store holds the parts. The heap holds the start of each change's wait, the oldest first, so the next change to
 * expire is found without a search. This index is read from the store on first use.
 */
final class IncompleteChanges {

    private final KeyValueStore<Bytes, byte[]> store;
    private final Intake intake;
    private final InstalledKeys keys;
    private Map<Bytes, Long> waiting;

    /** The result of adding a part: all parts in order, or the reasons why the change cannot be applied yet. */
    record Part(List<Payload> whole, List<Problem> rejections, List<Problem> warnings) {

        static Part rejected(Problem problem) {
            return new Part(null, List.of(problem), List.of());
        }

        boolean isComplete() {
            return whole != null;
        }
    }

    /**
     * A change whose parts did not arrive in time.
     *
     * @param last the envelope of the part that arrived last
     * @param entries the number of deleted entries
     */
    record Expired(ChangeEnvelope last, int entries) {}

    /**
     * @param keys encrypt the parts
     */
    IncompleteChanges(KeyValueStore<Bytes, byte[]> store, Intake intake, InstalledKeys keys) {
        this.store = store;
        this.intake = intake;
        this.keys = keys;
    }

    /** Whether some parts of a change have arrived, but not all. */
    boolean has(ChangeEnvelope envelope) {
        return !waiting().isEmpty() && waiting().containsKey(key(envelope));
    }

    /** Adds a part of a change. */
    Part take(ChangeEnvelope envelope, Payload payload, long now) {
        Waiting before = has(envelope) ? read(key(envelope)) : new Waiting(envelope, now, 0, List.of());
        List<Problem> disagreements = envelope.disagreements(before.envelope());
        if (!disagreements.isEmpty()) {
            return new Part(null, disagreements, List.of());
        }
        int number = envelope.part().number();
        MissingKey missing = missingKey(before);
        if (missing != null) {
            forget(before);
            return Part.rejected(Problem.of(
                    ProblemCode.SECRET_KEY_NOT_FOUND,
                    "earlier parts of the change cannot be decrypted: the key " + missing.id()
                            + " is not in the keyset",
                    "publish all parts again, with a new ce_id"));
        }
        if (before.has(number)) {
            return repeated(before, number, payload);
        }
        long sum = before.bytes() + payload.bytes();
        if (sum > intake.limits().change().bytes()) {
            forget(before);
            return Part.rejected(Problem.of(
                    ProblemCode.LIMIT_EXCEEDED,
                    "the change has more than " + intake.limits().change().bytes() + " bytes in all parts",
                    "split it into several changes"));
        }
        if (before.arrived().size() + 1 == envelope.part().of()) {
            return new Part(complete(before, number, payload), List.of(), List.of());
        }
        if (payload.stored().length > RecordSize.TOPIC_TAKES) { // if the topic has no limit; a changelog has one
            return Part.rejected(Problem.of(
                    ProblemCode.LIMIT_EXCEEDED,
                    "part " + number + " has more than " + RecordSize.TOPIC_TAKES + " bytes",
                    "split the change into smaller parts"));
        }
        store(envelope, before, payload, sum);
        return new Part(null, List.of(), List.of());
    }

    private void store(ChangeEnvelope envelope, Waiting before, Payload payload, long sum) {
        int number = envelope.part().number();
        SecretKeys now = keys.current();
        Bytes key = partKey(envelope, number);
        store.put(key, now.areThere() ? now.seal(Purpose.STORAGE, payload.stored(), place(key)) : payload.stored());
        List<Arrived> all = new ArrayList<>(before.arrived());
        all.add(new Arrived(number, payload.origins().length, now.areThere() ? now.current(Purpose.STORAGE) : 0));
        Waiting after = new Waiting(envelope, before.since(), sum, all);
        store.put(key(envelope), ChangesLayout.writeWaiting(after));
        waiting().putIfAbsent(key(envelope), after.since());
    }

    /* Handles a repeated part: a warning if its content is the same, otherwise a rejection. */
    private Part repeated(Waiting before, int number, Payload payload) {
        Arrived arrived = before.arrived().stream()
                .filter(each -> each.part() == number)
                .findFirst()
                .orElseThrow();
        if (Arrays.equals(bytes(before, arrived), payload.stored())) {
            Problem warning = Problem.of(
                    ProblemCode.INVALID_CHANGE, "part " + number + " was received before, with the same content", null);
            return new Part(null, List.of(), List.of(warning));
        }
        return Part.rejected(Problem.of(
                ProblemCode.INVALID_CHANGE,
                "part " + number + " was received before, with other content; the first is kept",
                "publish all parts again, with a new ce_id"));
    }

    private List<Payload> complete(Waiting before, int last, Payload payload) {
        Payload[] parts = new Payload[before.envelope().part().of()];
        parts[last - 1] = payload;
        before.arrived()
                .forEach(each -> parts[each.part() - 1] = Payload.ofStored(bytes(before, each), each.originBytes()));
        forget(before);
        return List.of(parts);
    }

    private byte[] bytes(Waiting waiting, Arrived part) {
        Bytes key = partKey(waiting.envelope(), part.part());
        byte[] stored = store.get(key);
        return part.key() == 0 ? stored : keys.current().open(Purpose.STORAGE, stored, place(key));
    }

    private static byte[] place(Bytes key) {
        return SealedEntry.place(ChangesLayout.STORE, key.get());
    }

    /* Returns a missing key of one of the parts; null if all parts can be decrypted. */
    private MissingKey missingKey(Waiting waiting) {
        return waiting.arrived().stream()
                .filter(each -> each.key() != 0 && !keys.current().has(Purpose.STORAGE, each.key()))
                .findFirst()
                .map(each -> new MissingKey(SecretKeyNotFoundException.text(each.key())))
                .orElse(null);
    }

    /** Whether the oldest incomplete change has waited too long. */
    boolean isLate(long now) {
        return !waiting().isEmpty()
                && now - waiting().values().iterator().next()
                        >= intake.incompleteAfter().toMillis();
    }

    /** Removes the oldest incomplete change. All its entries are deleted at once. */
    Expired expireNext() {
        Waiting late = read(waiting().keySet().iterator().next());
        return new Expired(late.envelope(), forget(late));
    }

    /* The delete method of the store first reads the old value, to return it. */
    private int forget(Waiting gone) {
        if (gone.arrived().isEmpty()) {
            return 0;
        }
        for (Arrived each : gone.arrived()) {
            store.put(partKey(gone.envelope(), each.part()), null);
        }
        store.put(key(gone.envelope()), null);
        waiting().remove(key(gone.envelope()));
        return gone.arrived().size() + 1;
    }

    private Waiting read(Bytes key) {
        return ChangesLayout.readWaiting(key.get(), store.get(key));
    }

    private static Bytes key(ChangeEnvelope envelope) {
        return Bytes.wrap(ChangesLayout.waitingKey(envelope.workspace(), envelope.changeId()));
    }

    private static Bytes partKey(ChangeEnvelope envelope, int part) {
        return Bytes.wrap(ChangesLayout.partKey(envelope.workspace(), envelope.changeId(), part));
    }

    /* When each change began to wait. */
    private Map<Bytes, Long> waiting() {
        if (waiting == null) {
            List<Map.Entry<Bytes, Long>> all = new ArrayList<>();
            Search.scan(
                    store,
                    ChangesLayout.waitingPrefix(),
                    (key, value) -> all.add(Map.entry(
                            Bytes.wrap(key),
                            ChangesLayout.readWaiting(key, value).since())));
            all.sort(Map.Entry.comparingByValue());
            waiting = new LinkedHashMap<>();
            all.forEach(each -> waiting.put(each.getKey(), each.getValue()));
        }
        return waiting;
    }
}
