package dev.strake.cli.verify;

import dev.strake.client.StateClient;
import dev.strake.client.StateClient.NotFoundException;
import dev.strake.client.StateClient.Parameter;
import dev.strake.engine.document.Document;
import dev.strake.engine.document.MissingKey;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The documents in the stores of a running Strake. */
record StoredState(StateClient client, String workspace) {

    /**
     * The state of a workspace.
     *
     * @param head its last revision
     * @param shown the revision that consumers hold: the last one that did not fail; 0 if none was published
     * @param partial whether consumers may lack documents of that revision, or hold older ones, because of problems
     * @param contentHash of the rendered set
     */
    record Standing(long head, long shown, boolean partial, String contentHash) {}

    /**
     * Returns the current state of the workspace. It may change at any time.
     *
     * @throws UnverifiableException if there is no such workspace, or it is unknown what consumers hold
     */
    Standing standing() throws UnverifiableException, InterruptedException {
        try {
            MapValue head = MapValue.EMPTY;
            for (Value revision : client.list(workspace, "revisions", List.of()).items()) {
                head = (MapValue) revision;
            }
            MapValue shown = client.list(workspace, "documents", List.of(new Parameter("revision", "published")))
                    .what();
            // A failed head publishes nothing, so its hash is that of the revision that consumers hold.
            return new Standing(
                    number(head),
                    number(shown),
                    new Text("partial").equals(shown.get("status")),
                    ((Text) head.get("contentHash")).value());
        } catch (NotFoundException e) {
            throw new UnverifiableException(e.getMessage());
        }
    }

    /**
     * The documents of the revision that consumers hold; empty if it was pruned meanwhile.
     *
     * @throws UnverifiableException if a document needs a key that is not in the keyset
     */
    Optional<List<Document>> documents(Standing standing) throws UnverifiableException, InterruptedException {
        // With redacted secrets, the documents would render to something else than what consumers hold.
        List<Parameter> parameters = List.of(
                new Parameter("revision", Long.toString(standing.shown())),
                new Parameter("cleartext-secrets", "compare"));
        List<Document> documents = new ArrayList<>();
        try {
            for (Value item : client.list(workspace, "documents", parameters).items()) {
                Document document = Document.ofValid((MapValue) ((MapValue) item).get("document"));
                if (MissingKey.isPlaceholder(document.data())) {
                    throw new UnverifiableException(
                            "%s cannot be rendered again: its key is not in the keyset of the service. Put the key back, or publish the document again."
                                    .formatted(document.id()));
                }
                documents.add(document);
            }
            return Optional.of(documents);
        } catch (NotFoundException e) {
            return Optional.empty();
        }
    }

    private static long number(MapValue revision) {
        return Long.parseLong(((Num) revision.get("revision")).literal());
    }
}
