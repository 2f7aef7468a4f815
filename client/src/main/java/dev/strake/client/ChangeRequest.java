package dev.strake.client;

import static dev.strake.client.StateClient.encoded;

import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.serdes.change.ChangeType;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Optional;

/**
 * The HTTP requests that make the service publish or plan a change.
 *
 * @param base the address of the service
 */
record ChangeRequest(URI base, NewChange change) {

    /**
     * Requests a plan of the change, which must have one part.
     *
     * @param against the number or a tag of the revision to plan against; the head if empty
     */
    HttpRequest.Builder plan(Optional<String> against, boolean cleartextSecrets) {
        StringBuilder parameters =
                new StringBuilder("?type=").append(change.type().text());
        add(parameters, "bucket", change.bucket());
        add(parameters, "expected-revision", change.terms().expectedRevision());
        add(parameters, "max-removals", change.terms().removals());
        add(parameters, "as-deckhand", asDeckhand());
        add(parameters, "against", against.orElse(null));
        add(parameters, "cleartext-secrets", cleartextSecrets ? "true" : null);
        return HttpRequest.newBuilder(base.resolve(place() + "/plan" + parameters))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(change.parts().get(0)));
    }

    /**
     * Publishes the change.
     *
     * @param patience how long the service may wait for the outcome
     */
    HttpRequest.Builder publish(Duration patience) {
        StringBuilder parameters =
                new StringBuilder("?dry-run=" + change.terms().dryRun());
        add(parameters, "author", change.note().author());
        add(parameters, "message", change.note().message());
        add(parameters, "max-removals", change.terms().removals());
        add(parameters, "as-deckhand", asDeckhand());
        HttpRequest.Builder request = HttpRequest.newBuilder(base.resolve(place() + below() + parameters))
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", change.id())
                .header("Prefer", patience.isZero() ? "respond-async" : "wait=" + patience.toSeconds())
                .method(method(), HttpRequest.BodyPublishers.ofByteArray(body()));
        if (change.terms().expectedRevision() != null) {
            request.header("If-Match", "\"" + change.terms().expectedRevision() + "\"");
        }
        return request;
    }

    private Boolean asDeckhand() {
        return change.terms().asDeckhand() ? true : null;
    }

    private static void add(StringBuilder parameters, String name, Object value) {
        if (value != null) {
            parameters.append('&').append(name).append('=').append(encoded(value.toString()));
        }
    }

    private String place() {
        return "/workspaces/" + encoded(change.workspace());
    }

    private String method() {
        return switch (change.type()) {
            case BUCKET_PUT, TAG -> "PUT";
            case DOCUMENTS_PUT, ROLLBACK, VALIDATION_PUT -> "POST";
            case DOCUMENTS_DELETE, UNTAG, WORKSPACE_DELETE -> "DELETE";
        };
    }

    private String below() {
        return switch (change.type()) {
            case BUCKET_PUT -> "/buckets/" + encoded(change.bucket());
            case DOCUMENTS_PUT, DOCUMENTS_DELETE -> "/buckets/" + encoded(change.bucket()) + "/documents";
            case ROLLBACK -> "/rollback";
            case VALIDATION_PUT -> {
                MapValue body = content();
                yield "/revisions/" + ((Num) body.get("revision")).literal() + "/validations/"
                        + encoded(((Text) body.get("name")).value());
            }
            case TAG, UNTAG -> {
                MapValue body = content();
                yield "/revisions/" + ((Num) body.get("revision")).literal() + "/tags/"
                        + encoded(((Text) body.get("tag")).value());
            }
            case WORKSPACE_DELETE -> "";
        };
    }

    private MapValue content() {
        return (MapValue) JsonReader.read(change.parts().get(0));
    }

    /* The service splits the change again, so this method joins the lists of all parts. */
    private byte[] body() {
        if (change.type() == ChangeType.TAG) {
            return JsonBytes.of(content().get("data"));
        } else if (change.type() == ChangeType.VALIDATION_PUT) {
            return JsonBytes.of(content().without("revision").without("name"));
        } else if (change.type() == ChangeType.UNTAG) {
            return new byte[0];
        } else if (change.parts().size() == 1) {
            return change.parts().get(0);
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : change.parts()) {
            all.write(all.size() == 0 ? '[' : ',');
            all.write(part, 1, part.length - 2);
        }
        all.write(']');
        return all.toByteArray();
    }
}
