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
 * What a document {@code razee/RemoteResource/v1alpha2} says.
 *
 * @param layer of the document; objects of Kubernetes become documents in it
 * @param bucket that the resource owns, and nobody else puts documents into
 * @param from where its content is
 * @param interval between two looks; empty for the one of the fetcher
 * @param removals what happens to documents that their source no longer has
 */
public record RemoteResource(
        RenderedKey key, String layer, String bucket, From from, Optional<Duration> interval, Removals removals) {

    /**
     * Where content is.
     *
     * @param backend how requests with a URL are made
     * @param auth of S3
     * @param region of S3
     */
    public record From(Backend backend, Optional<Auth> auth, Optional<String> region, List<FetchRequest> requests) {}

    /**
     * What happens to documents that their source no longer has.
     *
     * @param most how many may go at once without being confirmed
     * @param confirm the content that is taken, whatever it removes
     * @param reconcile of documents that do not say it themselves
     */
    public record Removals(RemovalLimit most, Optional<String> confirm, Reconcile reconcile) {}

    /** How requests with a URL are made. */
    public enum Backend {
        GENERIC,
        S3,
        GIT
    }

    /** The documents that it refers to. If one changes, the resource has to be fetched anew. */
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
