package dev.strake.client;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.serdes.change.Carried;
import dev.strake.serdes.change.Note;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.rendered.RenderedHeaders;
import dev.strake.serdes.rendered.RenderedKey;
import dev.strake.serdes.rendered.RenderedRecord;
import dev.strake.serdes.rendered.SecretHeaders;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.record.TimestampType;

/** The published revisions of one workspace: records, an outcome after each revision, and the resulting sets. */
final class PublishedHistory {

    private final String workspace;
    private final SortedMap<String, String> present = new TreeMap<>();
    private final List<SortedMap<String, String>> sets = new ArrayList<>();
    private final List<List<Published>> revisions = new ArrayList<>();

    /** A record; a tombstone if it has no value. */
    record Published(RenderedKey key, String json, Headers headers) {

        byte[] value() {
            return json == null ? null : json.getBytes(StandardCharsets.UTF_8);
        }

        RenderedRecord read() {
            return RenderedRecord.read(key.bytes(), value(), headers);
        }

        ConsumerRecord<byte[], byte[]> message(long offset) {
            return new ConsumerRecord<>(
                    "rendered",
                    0,
                    offset,
                    0L,
                    TimestampType.CREATE_TIME,
                    0,
                    0,
                    key.bytes(),
                    value(),
                    headers,
                    Optional.empty());
        }
    }

    PublishedHistory(String workspace) {
        this.workspace = workspace;
        sets.add(new TreeMap<>());
    }

    /** Adds a revision: names with new data, or null to remove a document. */
    PublishedHistory revision(Map<String, String> changes) {
        long number = revisions.size() + 1L;
        List<Published> records = new ArrayList<>();
        new TreeMap<>(changes).forEach((name, data) -> {
            RenderedKey key = new RenderedKey(workspace, new DocumentKey("example/Thing/v1", name));
            String json = data == null ? null : json(name, data);
            RenderedHeaders headers = new RenderedHeaders(
                    number,
                    "site",
                    "default",
                    null,
                    new RenderedHeaders.Cause("c" + number, null, "2026-01-01T00:00:00Z", null, null),
                    SecretHeaders.NONE);
            String hash = json == null ? null : RenderedHeaders.contentHash(json.getBytes(StandardCharsets.UTF_8));
            records.add(new Published(key, json, headers.write(key, hash)));
            if (data == null) {
                present.remove(name);
            } else {
                present.put(name, data);
            }
        });
        revisions.add(records);
        sets.add(new TreeMap<>(present));
        return this;
    }

    /** Returns random revisions, which change up to four of six documents or roll back to an earlier revision. */
    static PublishedHistory random(String workspace, Random random, int revisions) {
        PublishedHistory history = new PublishedHistory(workspace);
        for (int i = 0; i < revisions; i++) {
            if (random.nextInt(4) == 0) {
                history.rollback(random.nextInt(i + 1));
                continue;
            }
            Map<String, String> changes = new TreeMap<>();
            for (int each = random.nextInt(5); each > 0; each--) {
                String name = "d" + random.nextInt(6);
                boolean goes = random.nextInt(3) == 0 && history.present.containsKey(name);
                changes.put(name, goes ? null : "v" + random.nextInt(1_000_000));
            }
            history.revision(changes);
        }
        return history;
    }

    private void rollback(int revision) {
        SortedMap<String, String> then = set(revision);
        Map<String, String> changes = new TreeMap<>();
        then.forEach((name, data) -> {
            if (!data.equals(present.get(name))) {
                changes.put(name, data);
            }
        });
        present.keySet().stream().filter(name -> !then.containsKey(name)).forEach(name -> changes.put(name, null));
        revision(changes);
    }

    int size() {
        return revisions.size();
    }

    List<Published> records(int revision) {
        return revisions.get(revision - 1);
    }

    /** Returns the names and data of a revision's documents. */
    SortedMap<String, String> set(long revision) {
        return sets.get((int) revision);
    }

    Outcome outcome(int revision) {
        List<Published> records = records(revision);
        int removed = (int) records.stream().filter(each -> each.json() == null).count();
        Outcome.Work work = new Outcome.Work(0, 0, records.size() - removed, removed);
        return outcome(revision, OutcomeStatus.RENDERED, null, work);
    }

    static ConsumerRecord<byte[], byte[]> message(Outcome outcome, long offset) {
        byte[] key = outcome.workspace().getBytes(StandardCharsets.UTF_8);
        return new ConsumerRecord<>("outcomes", 0, offset, key, OutcomeJson.write(outcome));
    }

    /** The outcome of a change that was published twice. */
    Outcome duplicate(int revision) {
        return outcome(revision, OutcomeStatus.DUPLICATE, null, Outcome.Work.NONE);
    }

    /** The outcome of a dry run that would create this revision. */
    Outcome dryRun(int revision) {
        return outcome(
                revision,
                OutcomeStatus.PLANNED,
                OutcomeStatus.RENDERED,
                outcome(revision).work());
    }

    private Outcome outcome(int revision, OutcomeStatus status, OutcomeStatus wouldBe, Outcome.Work work) {
        return new Outcome(
                workspace,
                new Outcome.Change(
                        "c" + revision, "dev.strake.bucket.put", "default", "t-0@0", Carried.NOTHING, Note.NONE),
                status,
                new Outcome.Result(
                        (long) revision,
                        Outcome.Documents.NONE,
                        work,
                        new Outcome.Published((long) revision, set(revision).size(), contentHash(set(revision)))),
                new Outcome.Findings(List.of(), List.of()),
                Instant.EPOCH,
                wouldBe == null ? null : new Outcome.Planned(wouldBe, null));
    }

    private static String json(String name, String data) {
        return """
                {"schema":"example/Thing/v1","metadata":{"name":"%s"},"data":{"value":"%s"}}""".formatted(name, data);
    }

    /* Computes the hash from the description in docs/consuming.md, without the tested code. */
    private static String contentHash(SortedMap<String, String> documents) {
        BigInteger sum = BigInteger.ZERO;
        for (Map.Entry<String, String> document : documents.entrySet()) {
            try {
                MessageDigest sha = MessageDigest.getInstance("SHA-256");
                sha.update(("example/Thing/v1|" + document.getKey() + "\n").getBytes(StandardCharsets.UTF_8));
                byte[] hash =
                        sha.digest(json(document.getKey(), document.getValue()).getBytes(StandardCharsets.UTF_8));
                sum = sum.add(new BigInteger(1, hash));
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException(e);
            }
        }
        return "%064x".formatted(sum.mod(BigInteger.ONE.shiftLeft(256)));
    }
}
