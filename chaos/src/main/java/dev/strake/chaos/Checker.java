package dev.strake.chaos;

import static dev.strake.chaos.WorkspaceCheck.place;

import dev.strake.engine.tree.Hasher;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.change.WorkspaceKey;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.rendered.RenderedKey;
import dev.strake.serdes.text.JsonValues;
import dev.strake.topology.RenderTopology;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Judges from what the topics hold, and from nothing else, whether Strake kept its promises. What it shares with the
 * service is the reading of records and the document model; deciding and rendering it does by itself, the slow way.
 */
public final class Checker {

    private static final int REPLAYS = 20;
    private static final String DEAD_LETTER = "__streams.errors.";

    private final History history;
    private final int every;
    private final int kept;
    private final Verdict verdict = new Verdict();
    private final Map<String, String> lastHashes = new HashMap<>();

    private Checker(History history, int every, int kept) {
        this.history = history;
        this.every = every;
        this.kept = kept;
    }

    /**
     * Judges a history.
     *
     * @param every how many revisions of a workspace to go on before one is rendered from nothing again; 1 for all
     * @param kept how many revisions a workspace keeps for certain; whether older ones were pruned when a change asked
     *     for them cannot be known
     */
    public static Verdict check(History history, int every, int kept) {
        Checker checker = new Checker(history, every, kept);
        checker.checkAttribution();
        checker.checkWorkspaces();
        checker.checkMinimal();
        checker.checkResumable();
        checker.fingerprint();
        return checker.verdict;
    }

    /* Records without a workspace are dead letters; those in another partition than their workspace's are sent home. */
    private void checkAttribution() {
        Map<String, Integer> dead = new HashMap<>();
        for (ConsumerRecord<byte[], byte[]> letter : history.topic(RenderTopology.DEAD_LETTERS)) {
            String from = History.header(letter, DEAD_LETTER + "topic") + "-"
                    + History.header(letter, DEAD_LETTER + "partition") + "@"
                    + History.header(letter, DEAD_LETTER + "offset");
            dead.merge(from, 1, Integer::sum);
        }
        Map<String, Integer> atHome = new HashMap<>();
        for (ConsumerRecord<byte[], byte[]> change : history.topic(RenderTopology.CHANGES)) {
            if (workspace(change) != null && isAtHome(change)) {
                atHome.merge(identity(change, History.header(change, HeaderNames.CE_ID)), 1, Integer::sum);
            }
        }
        for (ConsumerRecord<byte[], byte[]> change : history.topic(RenderTopology.CHANGES)) {
            int letters = Objects.requireNonNullElse(dead.remove(place(change)), 0);
            if (letters != (workspace(change) == null ? 1 : 0)) {
                verdict.broke(
                        Promise.ACCOUNTED, "the record at %s has %d dead letters".formatted(place(change), letters));
            }
            if (workspace(change) == null) {
                verdict.looked(Promise.ACCOUNTED, "changes");
            } else if (!isAtHome(change)) {
                String id = History.header(change, HeaderNames.CE_ID);
                String own = change.topic() + "-" + change.partition() + "-" + change.offset();
                if (atHome.merge(identity(change, id == null ? own : id), -1, Integer::sum) < 0) {
                    verdict.broke(
                            Promise.ACCOUNTED,
                            "the change at %s belongs to another partition and never came there"
                                    .formatted(place(change)));
                }
                verdict.looked(Promise.ACCOUNTED, "changes");
            }
        }
        dead.keySet()
                .forEach(place ->
                        verdict.broke(Promise.ACCOUNTED, "a dead letter is of %s, where nothing is".formatted(place)));
    }

    private static String identity(ConsumerRecord<byte[], byte[]> change, String id) {
        return workspace(change) + " " + id + " " + change.timestamp() + " " + Arrays.hashCode(change.value());
    }

    private void checkWorkspaces() {
        SortedMap<String, List<ConsumerRecord<byte[], byte[]>>> changes = byWorkspace(RenderTopology.CHANGES);
        SortedMap<String, List<ConsumerRecord<byte[], byte[]>>> outcomes = byWorkspace(RenderTopology.OUTCOMES);
        SortedMap<String, List<ConsumerRecord<byte[], byte[]>>> rendered = byWorkspace(RenderTopology.RENDERED);
        SortedMap<String, List<ConsumerRecord<byte[], byte[]>>> problems = byWorkspace(RenderTopology.PROBLEMS);
        Set<String> workspaces = new TreeSet<>(changes.keySet());
        workspaces.addAll(outcomes.keySet());
        workspaces.addAll(rendered.keySet());
        for (String workspace : workspaces) {
            List<ConsumerRecord<byte[], byte[]>> own = outcomes.getOrDefault(workspace, List.of());
            new WorkspaceCheck(
                            workspace,
                            every,
                            kept,
                            verdict,
                            changes.getOrDefault(workspace, List.of()),
                            own,
                            rendered.getOrDefault(workspace, List.of()),
                            problems.getOrDefault(workspace, List.of()))
                    .run();
            if (!own.isEmpty()) {
                lastHashes.put(
                        workspace,
                        OutcomeJson.read(own.get(own.size() - 1).value())
                                .published()
                                .contentHash());
            }
        }
    }

    private SortedMap<String, List<ConsumerRecord<byte[], byte[]>>> byWorkspace(String topic) {
        SortedMap<String, List<ConsumerRecord<byte[], byte[]>>> result = new TreeMap<>();
        for (ConsumerRecord<byte[], byte[]> record : history.topic(topic)) {
            String workspace = workspace(record);
            if (workspace != null && isAtHome(record)) {
                result.computeIfAbsent(workspace, name -> new ArrayList<>()).add(record);
            } else if (!topic.equals(RenderTopology.CHANGES)) {
                verdict.broke(
                        Promise.ORDERED,
                        "the record at %s is in another workspace's partition".formatted(place(record)));
            }
        }
        return result;
    }

    private boolean isAtHome(ConsumerRecord<byte[], byte[]> record) {
        return WorkspaceKey.partition(workspace(record), history.partitions()) == record.partition();
    }

    /* Null if the key is no name of a workspace, nor begins with one. */
    private static String workspace(ConsumerRecord<byte[], byte[]> record) {
        if (record.key() == null) {
            return null;
        }
        String key = new String(record.key(), StandardCharsets.ISO_8859_1);
        boolean isOfWorkspace = record.topic().endsWith(RenderTopology.CHANGES)
                || record.topic().endsWith(RenderTopology.OUTCOMES);
        String name = isOfWorkspace ? key : key.split("\\|", 2)[0];
        return WorkspaceKey.isName(name) ? name : null;
    }

    private void checkMinimal() {
        Map<RenderedKey, Value> last = new HashMap<>();
        for (ConsumerRecord<byte[], byte[]> record : history.topic(RenderTopology.RENDERED)) {
            RenderedKey key = RenderedKey.of(record.key());
            Value value = record.value() == null ? null : JsonValues.read(record.value());
            if (Objects.equals(last.get(key), value)) { // whatever the order of keys
                verdict.broke(
                        Promise.MINIMAL,
                        "the record at %s repeats what %s has already".formatted(place(record), key.text()));
            }
            last.put(key, value);
            verdict.looked(Promise.MINIMAL, "records");
        }
    }

    /* Goes on a little before where it stopped, as a consumer does that had no time to commit. */
    private void checkResumable() {
        Random random = new Random(history.topic(RenderTopology.RENDERED).size());
        List<ConsumerRecord<byte[], byte[]>> records = history.topic(RenderTopology.RENDERED);
        for (int replay = 0; replay < REPLAYS; replay++) {
            Map<String, View> views = new TreeMap<>();
            int next = 0;
            int stops = 1 + random.nextInt(5);
            while (next < records.size()) {
                int end = stops-- > 0 ? next + random.nextInt(records.size() - next + 1) : records.size();
                for (ConsumerRecord<byte[], byte[]> record : records.subList(next, end)) {
                    RenderedKey key = RenderedKey.of(record.key());
                    views.computeIfAbsent(key.workspace(), name -> new View()).take(key.document(), record.value());
                }
                next = end == records.size() ? end : Math.max(0, end - random.nextInt(20));
            }
            for (Map.Entry<String, String> each : lastHashes.entrySet()) {
                String hash = views.getOrDefault(each.getKey(), new View()).hash();
                if (!hash.equals(each.getValue())) {
                    verdict.broke(
                            Promise.RESUMABLE,
                            "%s: a consumer that stops and goes on ends with %s, the last outcome says %s"
                                    .formatted(each.getKey(), hash, each.getValue()));
                }
            }
            verdict.looked(Promise.RESUMABLE, "replays");
        }
    }

    /*
     * All that depends on the changes alone: what was published by which revision, and every answer but its time and the
     * places in topics. Order counts within a workspace, and only there.
     */
    private void fingerprint() {
        Map<String, MessageDigest> digests = new TreeMap<>();
        for (ConsumerRecord<byte[], byte[]> record : history.topic(RenderTopology.RENDERED)) {
            MessageDigest sha = digests.computeIfAbsent(workspace(record), name -> Hasher.sha256());
            sha.update(record.key());
            sha.update(record.value() == null ? new byte[0] : record.value());
            sha.update(Objects.toString(History.header(record, HeaderNames.REVISION))
                    .getBytes(StandardCharsets.UTF_8));
        }
        Set<String> seen = new HashSet<>();
        for (ConsumerRecord<byte[], byte[]> record : history.topic(RenderTopology.OUTCOMES)) {
            Outcome outcome = OutcomeJson.read(record.value());
            if (seen.add(outcome.change().input()) && outcome.status() != OutcomeStatus.PENDING) {
                digests.computeIfAbsent(workspace(record), name -> Hasher.sha256())
                        .update((outcome.status() + " " + outcome.revision() + " " + outcome.documents() + " "
                                        + outcome.work().emitted() + " "
                                        + outcome.work().removed() + " "
                                        + outcome.published().contentHash())
                                .getBytes(StandardCharsets.UTF_8));
            }
            verdict.looked(Promise.DETERMINISTIC, "outcomes");
        }
        MessageDigest all = Hasher.sha256();
        digests.forEach((workspace, digest) -> {
            all.update(String.valueOf(workspace).getBytes(StandardCharsets.UTF_8));
            all.update(digest.digest());
        });
        verdict.fingerprint(HexFormat.of().formatHex(all.digest()));
    }
}
