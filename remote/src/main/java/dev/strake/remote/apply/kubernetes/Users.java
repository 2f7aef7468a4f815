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
 * In whose name objects are applied. What a RemoteResource fetched is applied in the name of its {@code
 * clusterAuth.impersonateUser}; a resource owns its bucket, so the bucket of a document leads to it. Everything else is
 * applied in the name of a default user.
 */
final class Users {

    private static final Pattern NAME = Pattern.compile("[\\x21-\\x7e]{1,253}");

    private final String defaultUser;
    private final Map<DocumentKey, Resource> resources = new TreeMap<>();

    /** A user that nobody can be taken for, so that nothing is applied. */
    static final class UnknownUserException extends Exception {

        private static final long serialVersionUID = 1L;

        UnknownUserException(String message) {
            super(message);
        }
    }

    private record Resource(String bucket, Value user) {}

    Users(String defaultUser) {
        this.defaultUser = defaultUser;
    }

    /** Takes in what an update says about remote resources. Returns whether it says anything. */
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
     * In whose name a document is applied.
     *
     * @param bucket of the document
     * @throws UnknownUserException if that cannot be told for certain
     */
    String of(String bucket) throws UnknownUserException {
        Optional<Resource> owner = resources.values().stream()
                .filter(resource -> resource.bucket().equals(bucket))
                .findFirst();
        if (owner.isEmpty() && bucket.startsWith(RemoteBucket.PREFIX)) {
            throw new UnknownUserException(
                    "impersonation is on, and there is no RemoteResource of the bucket %s that names the user"
                            .formatted(bucket));
        }
        Value user = owner.map(Resource::user).orElse(null);
        if (user == null) {
            return defaultUser;
        }
        if (user instanceof Text text && NAME.matcher(text.value()).matches()) {
            return text.value();
        }
        throw new UnknownUserException(
                "impersonation is on, and clusterAuth.impersonateUser of the RemoteResource is no name of a user");
    }
}
