package dev.strake.checks.chaos;

import static dev.strake.checks.chaos.AttributionCheck.isAtHome;
import static dev.strake.checks.chaos.AttributionCheck.workspace;
import static dev.strake.checks.chaos.WorkspaceCheck.place;

import dev.strake.engine.tree.Hasher;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.TopicNames;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.rendered.RenderedKey;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Judges from the content of the topics alone whether Strake kept its promises. Shares parsing of records and the
 * document model with the service, but decides and renders by itself, in the simplest way.
 */
public final class Checker {

    private final History history;
    private final int every;
    private final int kept;
    private final Verdict verdict = new Verdict();

    private Checker(History history, int every, int kept) {
        this.history = history;
        this.every = every;
        this.kept = kept;
    }

    /**
     * Judges a history.
     *
     * @param every render every Nth revision of a workspace from scratch; 1 for all
     * @param kept how many revisions of a workspace are never pruned; whether older ones were pruned at the time of a
     *     change is not known
     */
    public static Verdict check(History history, int every, int kept) {
        Checker checker = new Checker(history, every, kept);
        AttributionCheck attribution = new AttributionCheck(history, checker.verdict);
        attribution.run();
        checker.checkWorkspaces(attribution);
        checker.checkMinimal();
        checker.checkResumable();
        checker.fingerprint();
        return checker.verdict;
    }

    private void checkWorkspaces(AttributionCheck attribution) {
        SortedMap<String, List<ConsumerRecord<byte[], byte[]>>> changes = byWorkspace(TopicNames.CHANGES);
        SortedMap<String, List<ConsumerRecord<byte[], byte[]>>> outcomes = byWorkspace(TopicNames.OUTCOMES);
        outcomes.values().forEach(all -> all.removeIf(attribution::isOutcomeOfElsewhere));
        SortedMap<String, List<ConsumerRecord<byte[], byte[]>>> rendered = byWorkspace(TopicNames.RENDERED);
        SortedMap<String, List<ConsumerRecord<byte[], byte[]>>> problems = byWorkspace(TopicNames.PROBLEMS);
        Set<String> workspaces = new TreeSet<>(changes.keySet());
        workspaces.addAll(outcomes.keySet());
        workspaces.addAll(rendered.keySet());
        workspaces.addAll(problems.keySet());
        for (String workspace : workspaces) {
            new WorkspaceCheck(
                            workspace,
                            every,
                            kept,
                            verdict,
                            changes.getOrDefault(workspace, List.of()),
                            outcomes.getOrDefault(workspace, List.of()),
                            rendered.getOrDefault(workspace, List.of()),
                            problems.getOrDefault(workspace, List.of()))
                    .run();
        }
    }

    private SortedMap<String, List<ConsumerRecord<byte[], byte[]>>> byWorkspace(String topic) {
        SortedMap<String, List<ConsumerRecord<byte[], byte[]>>> result = new TreeMap<>();
        for (ConsumerRecord<byte[], byte[]> record : history.topic(topic)) {
            String workspace = workspace(record);
            if (workspace != null && isAtHome(record, history.partitions())) {
                result.computeIfAbsent(workspace, name -> new ArrayList<>()).add(record);
            } else if (!topic.equals(TopicNames.CHANGES)) {
                verdict.broke(
                        Promise.ORDERED,
                        "the record at %s is in another workspace's partition".formatted(place(record)));
            }
        }
        return result;
    }

    private void checkMinimal() {
        Map<RenderedKey, Value> last = new HashMap<>();
        int partition = -1;
        for (ConsumerRecord<byte[], byte[]> record : history.topic(TopicNames.RENDERED)) {
            if (record.partition() != partition) {
                partition = record.partition();
                last.clear(); // a key has one partition
            }
            RenderedKey key = RenderedKey.of(record.key());
            Value value = record.value() == null ? null : JsonReader.read(record.value());
            if (Objects.equals(last.get(key), value)) { // regardless of the order of keys
                verdict.broke(
                        Promise.MINIMAL,
                        "the record at %s repeats what %s has already".formatted(place(record), key.text()));
            }
            last.put(key, value);
            verdict.looked(Promise.MINIMAL, "records");
        }
    }

    /*
     * A consumer that resumes from an earlier offset gets records again. It may skip records whose id it knows, as
     * CloudEvents suggests, or whose revision is not above that of the key. A consumer that processes all of them again
     * ends with the same result, because the last record of a key counts.
     */
    private void checkResumable() {
        Set<String> ids = new HashSet<>();
        Map<RenderedKey, Long> revisions = new HashMap<>();
        for (ConsumerRecord<byte[], byte[]> record : history.topic(TopicNames.RENDERED)) {
            String id = History.header(record, HeaderNames.CE_SOURCE) + " " + History.header(record, HeaderNames.CE_ID);
            if (!ids.add(id)) {
                verdict.broke(
                        Promise.RESUMABLE, "the record at %s has the id of an earlier one".formatted(place(record)));
            }
            long revision = DocumentsCheck.revision(record);
            Long before = revisions.put(RenderedKey.of(record.key()), revision);
            if (before != null && before >= revision) {
                verdict.broke(
                        Promise.RESUMABLE,
                        "the record at %s is of revision %d, and its key was published with %d already"
                                .formatted(place(record), revision, before));
            }
            verdict.looked(Promise.RESUMABLE, "records");
        }
    }

    /*
     * Hashes everything that depends only on the changes: the records of each revision, and all outcomes without times
     * and offsets. Order matters only within a workspace.
     */
    private void fingerprint() {
        Map<String, MessageDigest> digests = new TreeMap<>();
        List<ConsumerRecord<byte[], byte[]>> published = new ArrayList<>(history.topic(TopicNames.RENDERED));
        published.addAll(history.topic(TopicNames.PROBLEMS));
        for (ConsumerRecord<byte[], byte[]> record : published) {
            MessageDigest sha = digests.computeIfAbsent(workspace(record), name -> Hasher.sha256());
            sha.update(record.key());
            sha.update(record.value() == null ? new byte[0] : record.value());
            sha.update(Objects.toString(History.header(record, HeaderNames.REVISION))
                    .getBytes(StandardCharsets.UTF_8));
        }
        Set<String> seen = new HashSet<>();
        for (ConsumerRecord<byte[], byte[]> record : history.topic(TopicNames.OUTCOMES)) {
            Outcome outcome = OutcomeJson.read(record.value());
            if (seen.add(outcome.change().input()) && outcome.status() != OutcomeStatus.PENDING) {
                digests.computeIfAbsent(workspace(record), name -> Hasher.sha256())
                        .update((outcome.status() + " " + outcome.revision() + " "
                                        + outcome.published().revision() + " "
                                        + outcome.documents() + " "
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
