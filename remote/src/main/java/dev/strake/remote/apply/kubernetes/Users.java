package dev.strake.remote.apply.kubernetes;

import dev.strake.client.RemoteBucket;
import dev.strake.client.RenderedUpdate;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.remote.object.ObjectDocument;
import dev.strake.serdes.rendered.RenderedRecord;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Decides which user to impersonate for a document. Documents that a RemoteResource fetched are applied as its {@code
 * clusterAuth.impersonateUser}. A resource owns its bucket, so the bucket of a document identifies the resource. All
 * other documents are applied as a default user.
 */
final class Users {

    private static final Pattern NAME = Pattern.compile("[\\x21-\\x7e]{1,253}");

    private final String defaultUser;
    private final Map<DocumentKey, Resource> resources = new TreeMap<>();

    /** The user cannot be determined, so nothing is applied. */
    static final class UnknownUserException extends Exception {

        UnknownUserException(String message) {
            super(message);
        }
    }

    private record Resource(String bucket, Value user) {}

    Users(String defaultUser) {
        this.defaultUser = defaultUser;
    }

    /** Takes over the RemoteResources of an update. Returns whether any of them changed. */
    boolean take(RenderedUpdate update) {
        Map<DocumentKey, Resource> before = new TreeMap<>(resources);
        if (update.kind() != RenderedUpdate.Kind.REVISION) {
            resources.clear();
        }
        update.removed().forEach(resources::remove);
        update.put().forEach((key, record) -> {
            if (key.schema().equals(ObjectDocument.REMOTE_RESOURCE)) {
                resources.put(key, resource(key, record));
            }
        });
        return !before.equals(resources);
    }

    private static Resource resource(DocumentKey key, RenderedRecord record) {
        MapValue data = record.document().orElse(MapValue.EMPTY).map("data");
        MapValue spec = data.get("spec") instanceof MapValue inner ? inner : data;
        String bucket = spec.text("bucket");
        return new Resource(
                bucket.isEmpty() ? RemoteBucket.of(key.name()) : bucket,
                spec.map("clusterAuth").get("impersonateUser"));
    }

    /**
     * Returns the user to impersonate for a document.
     *
     * @param bucket the bucket of the document
     * @throws UnknownUserException if the user cannot be determined for certain
     */
    String of(String bucket) throws UnknownUserException {
        Optional<Resource> owner = resources.values().stream()
                .filter(resource -> resource.bucket().equals(bucket))
                .findFirst();
        if (owner.isEmpty() && bucket.startsWith(RemoteBucket.PREFIX)) {
            throw new UnknownUserException(
                    "impersonation is on, but no RemoteResource of the bucket %s names the user".formatted(bucket));
        }
        Value user = owner.map(Resource::user).orElse(null);
        if (user == null) {
            return defaultUser;
        }
        if (user instanceof Text text && NAME.matcher(text.value()).matches()) {
            return text.value();
        }
        throw new UnknownUserException(
                "impersonation is on, but clusterAuth.impersonateUser of the RemoteResource is not a user name");
    }
}
