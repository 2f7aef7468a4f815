package dev.strake.remote.fetch.resource;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.remote.object.Reconcile;
import dev.strake.serdes.change.RemovalLimit;
import dev.strake.serdes.rendered.RenderedKey;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The content of a document {@code razee/RemoteResource/v1alpha2}.
 *
 * @param layer the layer of the document, and of documents that are made from Kubernetes objects
 * @param bucket the bucket that the resource owns; no other publisher may put documents into it
 * @param from the place of the content
 * @param interval the interval between two fetches; empty for the fetcher's default
 * @param removals what happens to documents that the source no longer has
 */
public record RemoteResource(
        RenderedKey key, String layer, String bucket, From from, Optional<Duration> interval, Removals removals) {

    /**
     * The place of the content.
     *
     * @param backend the protocol of the requests
     * @param auth the authentication at S3
     * @param region the region of S3
     */
    public record From(Backend backend, Optional<Auth> auth, Optional<String> region, List<FetchRequest> requests) {}

    /**
     * What happens to documents that the source no longer has.
     *
     * @param most the maximum number of removals without confirmation
     * @param confirm the hash of the content that is confirmed, whatever it removes
     * @param reconcile the default for documents without a label
     */
    public record Removals(RemovalLimit most, Optional<String> confirm, Reconcile reconcile) {}

    /** The protocol of the requests. */
    public enum Backend {
        GENERIC,
        S3,
        GIT
    }

    /** Returns the documents that the resource refers to. A change of one makes another fetch necessary. */
    public Set<DocumentKey> references() {
        Set<DocumentKey> all = new HashSet<>();
        for (FetchRequest request : from.requests()) {
            request.headers().values().forEach(value -> addTo(all, value));
            request.headersFrom().forEach(each -> all.add(each.document()));
        }
        if (from.auth().orElse(null) instanceof Auth.Hmac hmac) {
            addTo(all, hmac.accessKeyId());
            addTo(all, hmac.secretAccessKey());
        } else if (from.auth().orElse(null) instanceof Auth.Iam iam) {
            addTo(all, iam.apiKey());
        }
        return all;
    }

    private static void addTo(Set<DocumentKey> all, HeaderValue value) {
        if (value instanceof HeaderValue.FromSecret from) {
            all.add(from.secret().document());
        }
    }

    @Override
    public String toString() {
        return key.workspace() + " " + key.document();
    }
}
