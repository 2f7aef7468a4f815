package dev.strake.cli.verify;

import dev.strake.cli.offline.OfflineRendering;
import dev.strake.cli.terminal.KafkaWait;
import dev.strake.cli.terminal.Terminal;
import dev.strake.cli.verify.ConsumerView.Held;
import dev.strake.cli.verify.StoredState.Standing;
import dev.strake.cli.verify.VerifyResult.Difference;
import dev.strake.cli.verify.VerifyResult.Kind;
import dev.strake.client.KafkaUnavailableException;
import dev.strake.client.MisconfiguredException;
import dev.strake.client.StateClient;
import dev.strake.engine.document.Document;
import dev.strake.engine.identity.Digest;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.render.DataSchemas;
import dev.strake.engine.render.Renderer;
import dev.strake.engine.secret.Redaction;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.text.DocumentReader;
import dev.strake.serdes.text.Limits;
import dev.strake.serdes.text.TextFormat;
import dev.strake.serdes.text.UnreadableTextException;
import dev.strake.server.kafka.KafkaSettings;
import dev.strake.topology.TopologySettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Renders the documents of a workspace from scratch, and compares the result with what consumers hold.
 *
 * <p>The workspace may change meanwhile, and its topics become visible one after the other. So an attempt counts only
 * if the head is the same before and after, and the last outcome is that of the head. A difference counts only if two
 * attempts, a second apart, find it at the same head.
 */
public final class Verification {

    private static final Duration BETWEEN_ATTEMPTS = Duration.ofMillis(200);
    private static final Duration BEFORE_A_SECOND_LOOK = Duration.ofSeconds(1);

    private final KafkaSettings kafka;
    private final String topicPrefix;
    private final String workspace;
    private final TopologySettings work;
    private final Duration timeout;

    /**
     * Creates a verification of one workspace.
     *
     * @param work the settings of the verified pipeline, whose limits affect which documents render
     * @param timeout for the whole verification
     */
    public Verification(KafkaSettings kafka, String workspace, TopologySettings work, Duration timeout) {
        this.kafka = kafka;
        this.topicPrefix = work.topics().prefix();
        this.workspace = workspace;
        this.work = work;
        this.timeout = timeout;
    }

    /**
     * Compares the documents in the stores of a running Strake with the records.
     *
     * @throws MisconfiguredException if records have secrets, and there are no keys to compare them
     * @throws UnverifiableException if there is no such workspace, or it is unknown what consumers should hold
     * @throws KafkaUnavailableException if Kafka or Strake does not answer, or the workspace keeps changing
     */
    public VerifyResult verdict(StateClient client, Terminal terminal)
            throws UnverifiableException, InterruptedException {
        StoredState source = new StoredState(client, workspace);
        long deadline = System.nanoTime() + timeout.toNanos();
        try (ConsumerView view = KafkaWait.until(
                kafka.cluster(), terminal, () -> new ConsumerView(kafka, topicPrefix, workspace, timeout))) {
            // Checks the keys before the documents with their secrets are requested.
            view.catchUp(deadline);
            published().checkKeys(view.held());
            VerifyResult seen = null;
            while (true) {
                VerifyResult verdict = attempt(source, view, deadline).orElse(null);
                if (verdict != null && (verdict.isEqual() || verdict.equals(seen))) {
                    return verdict;
                }
                seen = verdict;
                Duration pause = verdict == null ? BETWEEN_ATTEMPTS : BEFORE_A_SECOND_LOOK;
                if (System.nanoTime() + pause.toNanos() - deadline > 0) {
                    throw keepsChanging(view);
                }
                Thread.sleep(pause.toMillis());
            }
        }
    }

    private KafkaUnavailableException keepsChanging(ConsumerView view) {
        Outcome last = view.lastOutcome();
        return new KafkaUnavailableException(
                "The workspace %s keeps changing: within %d s, state and topics never had the same revision (last outcome: revision %s). Try again when fewer changes arrive, or raise --timeout."
                        .formatted(workspace, timeout.toSeconds(), last == null ? "unknown" : last.revision()));
    }

    /* Empty if the workspace changed during the attempt, or its topics lag behind. */
    private Optional<VerifyResult> attempt(StoredState source, ConsumerView view, long deadline)
            throws UnverifiableException, InterruptedException {
        Standing standing = source.standing();
        Optional<List<Document>> documents = source.documents(standing);
        view.catchUp(deadline);
        Outcome last = view.lastOutcome();
        boolean behind = last != null && last.revision() != standing.head();
        if (documents.isEmpty() || behind || !source.standing().equals(standing)) {
            return Optional.empty();
        }
        return Optional.of(compare(standing, documents.get(), view));
    }

    private VerifyResult compare(Standing standing, List<Document> documents, ConsumerView view) {
        // Documents in trouble are never compared: consumers may hold them only if the pipeline holds back
        // documents, and then in an older state that cannot be recomputed.
        Renderer renderer = new Renderer(true, work.rendering().limits(), new DataSchemas());
        Published form = published();
        form.checkKeys(view.held());
        OfflineRendering rendering = OfflineRendering.of(documents, renderer, Redaction.CLEARTEXT);
        Set<DocumentKey> inTrouble = standing.partial() ? keys(rendering.problems()) : Set.of();
        List<Difference> differences = new ArrayList<>();
        keys(rendering.invalid()).forEach(key -> differences.add(difference(Kind.UNEXPLAINED, key, null)));
        view.unreadableOutcomes().forEach(place -> differences.add(new Difference(Kind.UNREADABLE, null, null, place)));

        Map<DocumentKey, Held> held = new HashMap<>();
        for (Held each : view.held()) {
            if (each.key() == null) {
                differences.add(new Difference(Kind.UNREADABLE, null, null, view.place(each)));
            } else {
                held.put(each.key(), each);
            }
        }
        for (MapValue expected : rendering.rendered()) {
            DocumentKey key = key(expected);
            Held record = held.remove(key);
            if (record == null) {
                differences.add(difference(Kind.MISSING, key, null));
            } else if (!record.digest().equals(Digest.of(key, JsonBytes.of(form.of(expected, record))))) {
                // Compares trees: a record stays in the topic if only the order of keys has changed.
                Optional<Value> content = tree(record.value());
                Fingerprint wanted = form.comparable(expected, record).fingerprint();
                if (content.isEmpty()) {
                    differences.add(difference(Kind.UNREADABLE, key, view.place(record)));
                } else if (!form.opened(content.get(), record).fingerprint().equals(wanted)) {
                    differences.add(difference(Kind.DIFFERS, key, view.place(record)));
                }
            }
        }
        for (Held record : held.values()) {
            if (tree(record.value()).isEmpty()) {
                differences.add(difference(Kind.UNREADABLE, record.key(), view.place(record)));
            } else if (!inTrouble.contains(record.key()) && !isKeptFor(record, inTrouble)) {
                differences.add(difference(Kind.UNEXPECTED, record.key(), view.place(record)));
            }
        }
        Outcome last = view.lastOutcome();
        VerifyResult.Hashes hashes = new VerifyResult.Hashes(
                view.contentHash(),
                standing.contentHash(),
                last == null ? null : last.published().contentHash());
        return new VerifyResult(
                workspace,
                standing.head(),
                standing.shown(),
                rendering.rendered().size(),
                inTrouble.size(),
                hashes,
                differences);
    }

    private Published published() {
        return new Published(work.secrets().keys().current(), workspace);
    }

    /* Documents that cannot be derived again stay, as a document in trouble does. */
    private static boolean isKeptFor(Held record, Set<DocumentKey> inTrouble) {
        return record.derivedFrom() != null
                && inTrouble.stream().anyMatch(key -> record.derivedFrom().equals(key.schema() + "/" + key.name()));
    }

    /* Another program may have written the value, so its depth is limited. Our records are never that deep. */
    private Optional<Value> tree(byte[] value) {
        int depth = work.rendering().limits().depth()
                + work.intake().limits().document().depth();
        int any = Integer.MAX_VALUE;
        Limits limits = new Limits(
                new Limits.OfChange(Long.MAX_VALUE, any, any, any),
                new Limits.OfDocument(Long.MAX_VALUE, depth, any, any));
        try {
            var trees = new DocumentReader(limits).readTrees(value, TextFormat.JSON, "record");
            return trees.size() == 1 ? Optional.of(trees.get(0).value()) : Optional.empty();
        } catch (UnreadableTextException e) {
            return Optional.empty();
        }
    }

    private static Set<DocumentKey> keys(List<Problem> problems) {
        Set<DocumentKey> keys = new HashSet<>();
        for (Problem problem : problems) {
            if (problem.document() != null) {
                keys.add(problem.document().key());
            }
        }
        return keys;
    }

    private static DocumentKey key(MapValue rendered) {
        MapValue metadata = (MapValue) rendered.get("metadata");
        return new DocumentKey(((Text) rendered.get("schema")).value(), ((Text) metadata.get("name")).value());
    }

    private static Difference difference(Kind kind, DocumentKey key, String record) {
        return new Difference(kind, key.schema(), key.name(), record);
    }
}
