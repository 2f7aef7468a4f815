package dev.strake.cli.verify;

import dev.strake.client.KafkaUnavailableException;
import dev.strake.client.StateClient;
import dev.strake.client.StateClient.NotFoundException;
import dev.strake.client.StateClient.Parameter;
import dev.strake.engine.document.Document;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.outcome.OutcomeStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The documents as the stores of a running Strake hold them. */
final class StoredState {

    private final StateClient client;
    private final String workspace;

    StoredState(StateClient client, String workspace) {
        this.client = client;
        this.workspace = workspace;
    }

    /**
     * Where a workspace stands.
     *
     * @param head its last revision
     * @param shown the revision that consumers hold: the last one that did not fail; 0 if none was published
     * @param partial whether documents of that revision may be missing or older for consumers, being in trouble
     * @param contentHash of the rendered set
     */
    record Standing(long head, long shown, boolean partial, String contentHash) {}

    /** A revision that is kept, as far as it matters here. */
    private record Kept(long number, OutcomeStatus status, long rendered, String contentHash) {

        static Kept of(Value json) {
            if (json instanceof MapValue map
                    && map.get("revision") instanceof Num number
                    && map.get("status") instanceof Text status
                    && map.get("rendered") instanceof Num rendered
                    && map.get("contentHash") instanceof Text hash) {
                return new Kept(
                        Long.parseLong(number.literal()),
                        OutcomeStatus.of(status.value()),
                        Long.parseLong(rendered.literal()),
                        hash.value());
            }
            throw misunderstood();
        }
    }

    /**
     * Where the workspace stands now. It can be outdated by the next moment.
     *
     * @throws UnverifiableException if there is no such workspace, or nobody can tell any more what consumers hold
     */
    Standing standing() throws UnverifiableException, InterruptedException {
        List<Kept> revisions;
        try {
            revisions = all("revisions", Optional.empty(), Kept::of);
        } catch (NotFoundException e) {
            throw new UnverifiableException(e.getMessage());
        }
        int last = revisions.size() - 1;
        if (last < 0) {
            throw misunderstood();
        }
        Kept head = revisions.get(last);
        while (last >= 0 && revisions.get(last).status() == OutcomeStatus.FAILED) {
            last--;
        }
        if (last < 0 && head.rendered() == 0) {
            return new Standing(head.number(), 0, false, head.contentHash());
        }
        // A failed revision publishes nothing, so its hash is that of the one consumers hold. Where revisions in
        // between were pruned, and it is not, one of those was published.
        boolean gap = last < 0 || head.number() - revisions.get(last).number() != revisions.size() - 1 - last;
        if (gap && (last < 0 || !revisions.get(last).contentHash().equals(head.contentHash()))) {
            throw new UnverifiableException(
                    "The revision of workspace %s that consumers hold was pruned; every later one up to the head, %d, failed. Correct what fails (strake get problems)."
                            .formatted(workspace, head.number()));
        }
        Kept shown = revisions.get(last);
        boolean partial = shown.status() == OutcomeStatus.PARTIAL;
        return new Standing(head.number(), shown.number(), partial, head.contentHash());
    }

    /** The documents of the revision that consumers hold; empty if it was pruned meanwhile. */
    Optional<List<Document>> documents(Standing standing) throws InterruptedException {
        try {
            return Optional.of(all("documents", Optional.of(standing.shown()), StoredState::document));
        } catch (NotFoundException e) {
            return Optional.empty();
        }
    }

    private static Document document(Value item) {
        if (item instanceof MapValue map && map.get("document") instanceof MapValue tree) {
            return Document.ofValid(tree);
        }
        throw misunderstood();
    }

    private <T> List<T> all(String list, Optional<Long> revision, Function<Value, T> reader)
            throws NotFoundException, InterruptedException {
        List<T> result = new ArrayList<>();
        List<Parameter> parameters = new ArrayList<>();
        revision.ifPresent(number -> {
            parameters.add(new Parameter("revision", number.toString()));
            // What is compared with what consumers hold is rendered from it, so it has to be the data itself.
            parameters.add(new Parameter("cleartext-secrets", "true"));
        });
        client.list(workspace, list, parameters).items().forEach(item -> result.add(reader.apply(item)));
        return result;
    }

    private static KafkaUnavailableException misunderstood() {
        return new KafkaUnavailableException("What answers at --url is a Strake of another version, or none.");
    }
}
