package dev.strake.topology.apply;

import dev.strake.engine.document.MissingKey;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.serdes.change.ChangeEnvelope;
import dev.strake.serdes.change.Payload;
import dev.strake.serdes.secret.InstalledKeys;
import dev.strake.serdes.secret.SecretKeyNotFoundException;
import dev.strake.serdes.secret.SecretKeys;
import dev.strake.serdes.store.ChangesLayout;
import dev.strake.serdes.store.ChangesLayout.Arrived;
import dev.strake.serdes.store.ChangesLayout.Waiting;
import dev.strake.serdes.store.SealedEntry;
import dev.strake.topology.apply.Intake.Room;
import dev.strake.topology.store.Search;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The parts of changes of which other parts are missing.
 *
 * <p>The store holds the parts. The heap holds a few numbers of each change, in the order in which the changes began to
 * wait: so the next change to be given up is found without a search, and what is left of the room for incomplete changes
 * is known before a part is stored. The numbers are read from the store once, when somebody first asks for them.
 */
final class IncompleteChanges {

    /** What a part takes beside its bytes: its keys, and its share of the entry of its change. */
    private static final int PART_BYTES = 1_024;

    private final KeyValueStore<Bytes, byte[]> store;
    private final Intake intake;
    private final InstalledKeys keys;
    private Index index;

    /** A change that waits, and the room that it takes. */
    private record Held(String workspace, long since, long bytes) {

        static Held of(Waiting waiting) {
            long bytes = waiting.bytes() + (long) PART_BYTES * waiting.came().size();
            return new Held(waiting.envelope().workspace(), waiting.since(), bytes);
        }
    }

    /** The result of receiving a part: all parts in order, or the reasons why there is nothing to apply yet. */
    record Part(List<Payload> whole, List<Problem> rejections, List<Problem> warnings) {

        static Part rejected(Problem problem) {
            return new Part(null, List.of(problem), List.of());
        }

        boolean isComplete() {
            return whole != null;
        }
    }

    /**
     * A change that was given up.
     *
     * @param last the envelope of the last part that arrived
     * @param entries the number of entries that were deleted for it
     */
    record GivenUp(ChangeEnvelope last, int entries) {}

    /**
     * @param keys that encrypt the parts
     */
    IncompleteChanges(KeyValueStore<Bytes, byte[]> store, Intake intake, InstalledKeys keys) {
        this.store = store;
        this.intake = intake;
        this.keys = keys;
    }

    /** Whether some parts of a change have arrived and others have not. */
    boolean has(ChangeEnvelope envelope) {
        Map<Bytes, Held> changes = index().changes;
        return !changes.isEmpty() && changes.containsKey(key(envelope));
    }

    /** Takes in a record of a change in several parts. A part for which there is no room is not stored. */
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
                    "the parts that came before cannot be decrypted: the key " + missing.id() + " is not in the keyset",
                    "publish all parts again, with a new ce_id"));
        }
        if (before.has(number)) {
            return repeated(before, number, payload);
        }
        long sum = before.bytes() + payload.bytes();
        if (sum > intake.limits().changeBytes()) {
            forget(before);
            return Part.rejected(Problem.of(
                    ProblemCode.LIMIT_EXCEEDED,
                    "the change has more than " + intake.limits().changeBytes() + " bytes in all parts",
                    "cut it into several changes"));
        }
        if (before.came().size() + 1 == envelope.part().of()) {
            return new Part(complete(before, number, payload), List.of(), List.of());
        }
        Problem full = index().full(envelope, before.came().isEmpty() ? 1 : 0, payload.bytes() + PART_BYTES);
        if (full != null) {
            return Part.rejected(full);
        }
        store(envelope, before, payload, sum);
        return new Part(null, List.of(), List.of());
    }

    private void store(ChangeEnvelope envelope, Waiting before, Payload payload, long sum) {
        int number = envelope.part().number();
        SecretKeys now = keys.current();
        Bytes key = partKey(envelope, number);
        store.put(key, now.areThere() ? now.seal(payload.stored(), place(key)) : payload.stored());
        List<Arrived> came = new ArrayList<>(before.came());
        came.add(new Arrived(number, payload.origins().length, now.areThere() ? now.storageKey() : 0));
        Waiting after = new Waiting(envelope, before.since(), sum, came);
        store.put(key(envelope), ChangesLayout.writeWaiting(after));
        index().put(key(envelope), Held.of(after));
    }

    /* A part that arrived before: a warning if its content is the same, otherwise a rejection. */
    private Part repeated(Waiting before, int number, Payload payload) {
        Arrived arrived = before.came().stream()
                .filter(each -> each.part() == number)
                .findFirst()
                .orElseThrow();
        if (Arrays.equals(bytes(before, arrived), payload.stored())) {
            Problem warning = Problem.of(
                    ProblemCode.INVALID_CHANGE, "part " + number + " came before, with the same content", null);
            return new Part(null, List.of(), List.of(warning));
        }
        return Part.rejected(Problem.of(
                ProblemCode.INVALID_CHANGE,
                "part " + number + " came before, with other content; the first one stays",
                "publish all parts again, with a new ce_id"));
    }

    private List<Payload> complete(Waiting before, int last, Payload payload) {
        Payload[] parts = new Payload[before.envelope().part().of()];
        parts[last - 1] = payload;
        before.came()
                .forEach(each -> parts[each.part() - 1] = Payload.ofStored(bytes(before, each), each.originBytes()));
        forget(before);
        return List.of(parts);
    }

    private byte[] bytes(Waiting waiting, Arrived part) {
        Bytes key = partKey(waiting.envelope(), part.part());
        byte[] stored = store.get(key);
        return part.key() == 0 ? stored : keys.current().open(stored, place(key));
    }

    private static byte[] place(Bytes key) {
        return SealedEntry.place(ChangesLayout.STORE, key.get());
    }

    /* The key without which some of the parts cannot be read; null if all can. */
    private MissingKey missingKey(Waiting waiting) {
        return waiting.came().stream()
                .filter(each -> each.key() != 0 && !keys.current().has(each.key()))
                .findFirst()
                .map(each -> new MissingKey(SecretKeyNotFoundException.text(each.key())))
                .orElse(null);
    }

    /** Whether the change that has waited longest has waited too long. */
    boolean isLate(long now) {
        Map<Bytes, Held> changes = index().changes;
        return !changes.isEmpty()
                && now - changes.values().iterator().next().since()
                        >= intake.incompleteAfter().toMillis();
    }

    /** Gives up the change that has waited longest: all its entries go together, so that none is ever half gone. */
    GivenUp giveUpNext() {
        Waiting late = read(index().changes.keySet().iterator().next());
        return new GivenUp(late.envelope(), forget(late));
    }

    /* The store's own delete reads the old value first, to return it. */
    private int forget(Waiting waiting) {
        if (waiting.came().isEmpty()) {
            return 0;
        }
        for (Arrived each : waiting.came()) {
            store.put(partKey(waiting.envelope(), each.part()), null);
        }
        store.put(key(waiting.envelope()), null);
        index().remove(key(waiting.envelope()));
        return waiting.came().size() + 1;
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

    private Index index() {
        if (index == null) {
            index = new Index();
            List<Map.Entry<Bytes, Held>> all = new ArrayList<>();
            Search.scan(
                    store,
                    ChangesLayout.waitingPrefix(),
                    (key, value) ->
                            all.add(Map.entry(Bytes.wrap(key), Held.of(ChangesLayout.readWaiting(key, value)))));
            all.sort(Map.Entry.comparingByValue(Comparator.comparingLong(Held::since)));
            all.forEach(each -> index.put(each.getKey(), each.getValue()));
        }
        return index;
    }

    /** The changes that wait, in the order in which they began to, and how much room they take. */
    private final class Index {

        private final Map<Bytes, Held> changes = new LinkedHashMap<>();
        private final Map<String, Room> taken = new HashMap<>();
        private Room takenOfAll = new Room(0, 0);

        /** Why there is no room for a part; null if there is. */
        Problem full(ChangeEnvelope envelope, int moreChanges, long moreBytes) {
            if (isFull(taken.get(envelope.workspace()), intake.ofWorkspace(), moreChanges, moreBytes)) {
                return full("the workspace", intake.ofWorkspace());
            }
            return isFull(takenOfAll, intake.ofPartition(), moreChanges, moreBytes)
                    ? full("all workspaces of the partition", intake.ofPartition())
                    : null;
        }

        /* A store may hold more changes than a lowered limit has room for: parts for these may come still. */
        private static boolean isFull(Room taken, Room room, int moreChanges, long moreBytes) {
            Room after = plus(taken, moreChanges, moreBytes);
            return (moreChanges > 0 && after.changes() > room.changes()) || after.bytes() > room.bytes();
        }

        private Problem full(String whose, Room room) {
            return Problem.of(
                    ProblemCode.LIMIT_EXCEEDED,
                    "the part cannot wait for the others: of %s, %d changes and %d bytes may wait for missing parts"
                            .formatted(whose, room.changes(), room.bytes()),
                    "publish the missing parts of earlier changes first, then this part again; or wait until they are given up, %d seconds after their first parts"
                            .formatted(intake.incompleteAfter().toSeconds()));
        }

        void put(Bytes key, Held held) {
            Held before = changes.put(key, held); // keeps its place in the order
            count(held.workspace(), before == null ? 1 : 0, held.bytes() - (before == null ? 0 : before.bytes()));
        }

        void remove(Bytes key) {
            Held held = changes.remove(key);
            count(held.workspace(), -1, -held.bytes());
        }

        private void count(String workspace, int moreChanges, long moreBytes) {
            takenOfAll = plus(takenOfAll, moreChanges, moreBytes);
            taken.compute(workspace, (name, room) -> {
                Room after = plus(room, moreChanges, moreBytes);
                return after.changes() == 0 ? null : after;
            });
        }

        private static Room plus(Room room, int changes, long bytes) {
            return room == null ? new Room(changes, bytes) : new Room(room.changes() + changes, room.bytes() + bytes);
        }
    }
}
