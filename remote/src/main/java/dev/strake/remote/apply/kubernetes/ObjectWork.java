package dev.strake.remote.apply.kubernetes;

import dev.strake.engine.tree.MapValue;
import dev.strake.remote.apply.TargetChange.Kind;
import dev.strake.remote.apply.kubernetes.Discovery.Resource;
import dev.strake.remote.apply.patch.ApplyRequest;
import dev.strake.remote.apply.patch.ApplyResult;
import dev.strake.remote.apply.patch.ApplyResult.Action;
import dev.strake.remote.apply.patch.ApplyResult.Request;
import dev.strake.remote.apply.patch.ApplyResult.RequestType;
import dev.strake.remote.apply.patch.Applying;
import dev.strake.remote.object.KubernetesObject;
import dev.strake.remote.object.ObjectIdentity;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * Applies and removes single objects. Each write names the version of the object that it was decided for. If the object
 * has changed since, the object is read and the decision is repeated. Therefore an object from an earlier read or write
 * need not be read again. Different threads may work on different objects.
 */
final class ObjectWork {

    /** Annotation that confirms the deletion of an object whose document has Reconcile {@code confirm}. */
    static final String CONFIRMED = "deploy.razee.io/confirm-removal";

    private static final int MOST_TRIES = 5;
    private static final Pattern OWNER = Pattern.compile("/apis?(/[A-Za-z0-9:_-][A-Za-z0-9.:_-]*)+");

    private final ApiServer server;
    private final String parent;
    private final boolean dryRun;
    private final boolean correctsDrift;
    private final Map<ObjectIdentity, MapValue> known = new ConcurrentHashMap<>();

    /** Sends a request, or a dry run of it. */
    private interface Sending {

        MapValue send(String method, String path, String contentType, MapValue body, String user)
                throws IOException, ApiFailure;
    }

    /**
     * The result of applying or removing one object.
     *
     * @param kind the kind of change; null if none was needed
     * @param before the object before the change; null if there was none
     * @param after the object after the change, or after a dry run; null if there is none
     * @param isGone for a removal: whether nothing is left to do
     */
    record Done(Kind kind, MapValue before, MapValue after, String reason, boolean isGone) {

        static Done of(Kind kind, MapValue before, MapValue after) {
            return new Done(kind, before, after, "", true);
        }

        static Done nothing(Kind kind, String reason) {
            return new Done(kind, null, null, reason, false);
        }

        /** Never shows the content. */
        @Override
        public String toString() {
            return "Done[" + kind + "]";
        }
    }

    /**
     * @param parent the owner of the objects, see {@link KubernetesObject#PARENT}
     * @param dryRun whether to report what would happen and change nothing
     * @param correctsDrift whether drift is corrected or only reported
     */
    ObjectWork(ApiServer server, String parent, boolean dryRun, boolean correctsDrift) {
        this.server = server;
        this.parent = parent;
        this.dryRun = dryRun;
        this.correctsDrift = correctsDrift;
    }

    /** Clears the cache of objects, so that each is read again. */
    void forget() {
        known.clear();
    }

    /**
     * Applies a document to its object.
     *
     * @param user the user to impersonate; null for none
     * @param isLookedAt whether to read the object even if it is cached
     */
    Done apply(Desired desired, ObjectIdentity identity, Resource resource, String user, boolean isLookedAt)
            throws IOException, ApiFailure {
        String path = resource.path(identity);
        MapValue before = known.get(identity);
        MapValue live = isLookedAt || before == null ? server.get(path, user).orElse(null) : before;
        for (int attempt = 1; ; attempt++) {
            if (live != null && new Live(live).isBeingDeleted()) {
                known.remove(identity);
                return Done.nothing(Kind.FAILED, new Live(live).whyStillThere());
            }
            ApplyResult result = Applying.apply(request(desired, live, user));
            Done done = decided(desired, before, live, result);
            boolean isUnsure = before == null && live != null && done.kind() == drifted();
            if (isUnsure && isNothingToTheServer(result.request().get(), live, path, user)) {
                remember(identity, live);
                return Done.of(null, live, live);
            }
            if (done.kind() == null || result.request().isEmpty() || !isSent(done, live, result)) {
                if (done.kind() != Kind.DRIFTED) { // keep the last written state as the baseline for drift
                    remember(identity, live);
                }
                return done;
            }
            if (dryRun) {
                return done;
            }
            try {
                MapValue now = sent(result.request().get(), live, path, resource.collection(identity), user);
                remember(identity, now);
                return done;
            } catch (ApiFailure e) {
                boolean isOvertaken = e.code() == 409 || (e.code() == 404 && live != null);
                known.remove(identity);
                if (!isOvertaken || attempt == MOST_TRIES) {
                    throw e;
                }
                live = server.get(path, user).orElse(null);
            }
        }
    }

    /*
     * Whether the server would change nothing, although document and live object differ: servers drop empty members and
     * normalize numbers. Only the server knows how, so a dry run asks it. If the user may not send one, the difference
     * counts as a change.
     */
    private boolean isNothingToTheServer(Request request, MapValue live, String path, String user)
            throws IOException, ApiFailure {
        try {
            MapValue body = withVersion(Live.withoutRecord(request.body()), new Live(live).version());
            MapValue tried = patched(server::tryOut, request.type(), path, body, user);
            return Live.shown(tried).equals(Live.shown(live));
        } catch (ApiFailure e) {
            if (e.code() == 409 || e.code() >= 500) {
                throw e;
            }
            return false;
        }
    }

    private void remember(ObjectIdentity identity, MapValue live) {
        if (live == null) {
            known.remove(identity);
        } else {
            known.put(identity, live);
        }
    }

    private ApplyRequest request(Desired desired, MapValue live, String user) throws IOException, ApiFailure {
        return new ApplyRequest(
                live,
                live == null ? null : new Live(live).lastApplied(),
                desired.object(),
                desired.mode(),
                parent,
                live == null ? Set.of() : livingOwner(new Live(live), user),
                desired.isSecret() ? "secret, revision " + desired.revision() : null);
    }

    /* An owner is the path of an object. Another text cannot be looked up, so that owner counts as alive. */
    private Set<String> livingOwner(Live live, String user) throws IOException, ApiFailure {
        Optional<String> owner = live.owner().filter(path -> !path.equals(parent));
        boolean isGone = owner.isPresent()
                && OWNER.matcher(owner.get()).matches()
                && server.get(owner.get(), user).isEmpty();
        return owner.isEmpty() || isGone ? Set.of() : Set.of(owner.get());
    }

    private Done decided(Desired desired, MapValue before, MapValue live, ApplyResult result) {
        return switch (result.action()) {
            case FAILED -> {
                var failure = result.failure().orElseThrow();
                yield Done.nothing(Kind.FAILED, failure.getMessage() + " (data" + failure.place() + ")");
            }
            case REFUSED_OTHER_PARENT ->
                Done.nothing(
                        Kind.FOREIGN, "it belongs to " + new Live(live).owner().orElse(""));
            case CREATE -> Done.of(before == null ? Kind.CREATE : drifted(), null, result.object());
            case PATCH -> patched(desired, before, new Live(live), result.object());
            case NONE, HELD, DELETE -> Done.of(null, live, live);
        };
    }

    private Done patched(Desired desired, MapValue before, Live live, MapValue wanted) {
        boolean isDebugged = new KubernetesObject(live.object())
                .label(KubernetesObject.DEBUG)
                .filter("true"::equalsIgnoreCase)
                .isPresent();
        if (isDebugged) {
            return new Done(
                    Kind.HELD, live.object(), wanted, "the live object has the label " + KubernetesObject.DEBUG, false);
        }
        if (live.isAsGoodAs(wanted)) {
            return Done.of(null, live.object(), live.object());
        }
        if (!live.hasRecordOf(wanted)) {
            return Done.of(Kind.REPLACE, live.object(), wanted);
        }
        // values that the server set when the document was written are no drift
        boolean isChanged =
                before == null || !new Live(before).at(desired.object()).equals(live.at(desired.object()));
        return Done.of(isChanged ? drifted() : null, live.object(), wanted);
    }

    private Kind drifted() {
        return correctsDrift ? Kind.RESTORE : Kind.DRIFTED;
    }

    /* Drift is only reported, never written; a pending document is written once. */
    private static boolean isSent(Done done, MapValue live, ApplyResult result) {
        return done.kind() != Kind.DRIFTED && (done.kind() != Kind.HELD || !live.equals(result.object()));
    }

    /* A create fails if the object exists; a patch names the version that it was made for. */
    private MapValue sent(Request request, MapValue live, String path, String collection, String user)
            throws IOException, ApiFailure {
        RequestType type = request.type();
        if (type == RequestType.CREATE) {
            return server.send(type.method(), collection, type.contentType(), request.body(), user);
        }
        return patched(server::send, type, path, withVersion(request.body(), new Live(live).version()), user);
    }

    /* Falls back to a merge patch, since API servers support no strategic merge patch for custom resources. */
    private static MapValue patched(Sending how, RequestType type, String path, MapValue body, String user)
            throws IOException, ApiFailure {
        try {
            return how.send(type.method(), path, type.contentType(), body, user);
        } catch (ApiFailure e) {
            if (e.code() != 415 || type != RequestType.STRATEGIC_MERGE_PATCH) {
                throw e;
            }
            return how.send(type.method(), path, RequestType.MERGE_PATCH.contentType(), body, user);
        }
    }

    private static MapValue withVersion(MapValue body, String version) {
        return body.with("metadata", body.map("metadata").with("resourceVersion", version));
    }

    /** Removes an object, or releases it, as recorded in its entry. */
    Done remove(ObjectIdentity identity, Inventory.Entry entry, Resource resource, String user)
            throws IOException, ApiFailure {
        String path = resource.path(identity);
        known.remove(identity);
        for (int attempt = 1; ; attempt++) {
            MapValue live = server.get(path, user).orElse(null);
            if (live != null && new Live(live).isBeingDeleted()) {
                return Done.nothing(Kind.HELD, new Live(live).whyStillThere());
            }
            boolean isConfirmed = live != null
                    && new KubernetesObject(live)
                            .annotation(CONFIRMED)
                            .filter("true"::equals)
                            .isPresent();
            ApplyResult result = Applying.remove(live, parent, entry.reconcile(), isConfirmed);
            if (result.action() == Action.HELD) {
                return Done.nothing(
                        Kind.HELD,
                        "its deletion has to be confirmed by the annotation %s: \"true\"".formatted(CONFIRMED));
            }
            if (result.request().isEmpty()) {
                return Done.of(null, live, live);
            }
            boolean isDeleted = result.action() == Action.DELETE;
            Done done = Done.of(isDeleted ? Kind.REMOVE : Kind.REPLACE, live, result.object());
            if (dryRun) {
                return done;
            }
            try {
                if (!isDeleted) {
                    sent(result.request().get(), live, path, resource.collection(identity), user);
                    return done;
                }
                MapValue answer = server.send("DELETE", path, ApiServer.JSON, deletion(new Live(live)), user);
                // an object in the response means that finalizers, or content of a namespace, delay its deletion
                return new Done(Kind.REMOVE, live, null, "", !new Live(answer).isBeingDeleted());
            } catch (ApiFailure e) {
                if (e.code() == 404) {
                    return Done.of(null, null, null);
                }
                if (e.code() != 409 || attempt == MOST_TRIES) {
                    throw e;
                }
            }
        }
    }

    private static MapValue deletion(Live live) {
        MapValue preconditions = MapValue.of("uid", live.uid()).with("resourceVersion", live.version());
        return MapValue.builder()
                .put("apiVersion", "v1")
                .put("kind", "DeleteOptions")
                .put("propagationPolicy", "Background")
                .put("preconditions", preconditions)
                .build();
    }
}
