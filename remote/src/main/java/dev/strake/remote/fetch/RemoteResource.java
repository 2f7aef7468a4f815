package dev.strake.remote.fetch;

import dev.strake.engine.apply.Reconcile;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.serdes.change.RemovalLimit;
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
 * @param backend how requests with a URL are made
 * @param auth of S3
 * @param region of S3
 * @param interval between two looks; empty for the one of the fetcher
 * @param maxRemovals how many documents may go at once without being confirmed
 * @param confirm the content that is taken, whatever it removes
 * @param reconcile of documents that do not say it themselves
 */
record RemoteResource(
        String workspace,
        DocumentKey key,
        String layer,
        String bucket,
        Backend backend,
        Optional<Auth> auth,
        Optional<String> region,
        List<Request> requests,
        Optional<Duration> interval,
        RemovalLimit maxRemovals,
        Optional<String> confirm,
        Reconcile reconcile) {

    /** The schema of the documents. */
    static final String SCHEMA = "razee/RemoteResource/v1alpha2";

    /** How requests with a URL are made. */
    enum Backend {
        GENERIC,
        S3,
        GIT
    }

    /** The documents that it refers to. If one changes, the resource has to be fetched anew. */
    Set<DocumentKey> references() {
        Set<DocumentKey> all = new HashSet<>();
        for (Request request : requests) {
            request.headers().values().forEach(value -> addTo(all, value));
            request.headersFrom().forEach(each -> all.add(each.document()));
        }
        if (auth.orElse(null) instanceof Auth.Hmac hmac) {
            addTo(all, hmac.accessKeyId());
            addTo(all, hmac.secretAccessKey());
        } else if (auth.orElse(null) instanceof Auth.Iam iam) {
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
        return workspace + " " + key;
    }
}
