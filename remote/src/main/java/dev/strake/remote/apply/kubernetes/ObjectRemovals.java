package dev.strake.remote.apply.kubernetes;

import dev.strake.remote.apply.DocumentResult;
import dev.strake.remote.apply.RemovalRule;
import dev.strake.remote.apply.TargetChange.Kind;
import dev.strake.remote.apply.kubernetes.Discovery.Resource;
import dev.strake.remote.apply.kubernetes.KubernetesTarget.Options;
import dev.strake.remote.apply.kubernetes.ObjectWork.Done;
import dev.strake.remote.object.ObjectIdentity;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Removes objects that no document wants any more. If there is any objection, no object is removed. Failed removals are
 * retried.
 */
final class ObjectRemovals {

    private static final String ALL = "removals";

    private final Options options;
    private final Discovery discovery;
    private final ClusterConfig config;
    private final Inventory inventory;
    private final ObjectWork work;
    private final Retries<String> retries = new Retries<>();

    ObjectRemovals(Options options, Discovery discovery, ClusterConfig config, Inventory inventory, ObjectWork work) {
        this.options = options;
        this.discovery = discovery;
        this.config = config;
        this.inventory = inventory;
        this.work = work;
    }

    /** Whether a retry is due. */
    boolean isDue() {
        return retries.isDue(ALL);
    }

    /** Returns 1 if a retry of the removals is planned, 0 otherwise. */
    int unfinished() {
        return retries.size();
    }

    /**
     * Removes the objects, unless there is an objection.
     *
     * @param changes collects the changes
     * @param results notified of documents of which nothing is left
     * @return the objection; empty if there is none
     */
    String remove(WantedObjects wanted, boolean impersonates, Changes changes, DocumentResult.Listener results)
            throws IOException {
        List<ObjectIdentity> left = new ArrayList<>(inventory.entries().keySet());
        left.removeIf(wanted.claims()::containsKey);
        if (left.isEmpty()) {
            retries.done(ALL);
            return "";
        }
        Optional<String> objection = objection(left, wanted);
        if (objection.isPresent()) {
            left.forEach(identity -> changes.nothing(identity.toString(), Kind.HELD, objection.get()));
            retries.done(ALL);
            if (wanted.failing() > 0) {
                retries.failed(ALL, Duration.ZERO); // retried until no document fails any more
            }
            return objection.get();
        }
        left.sort(Comparator.<ObjectIdentity>comparingInt(Desired::wave)
                .thenComparing(Comparator.naturalOrder())
                .reversed());
        SortedMap<ObjectIdentity, Inventory.Entry> next = new TreeMap<>(inventory.entries());
        boolean isAllGone = true;
        try {
            for (ObjectIdentity identity : left) {
                Inventory.Entry entry = next.get(identity);
                if (removed(identity, entry, impersonates, changes)) {
                    next.remove(identity);
                    if (!wanted.has(entry.document())) {
                        results.gone(entry.document());
                    }
                } else {
                    isAllGone = false;
                }
            }
        } finally {
            if (!options.dryRun()) {
                inventory.write(next);
            }
        }
        retries.done(ALL);
        if (!isAllGone) {
            retries.failed(ALL, Duration.ZERO);
        }
        return "";
    }

    private Optional<String> objection(Collection<ObjectIdentity> left, WantedObjects wanted) {
        if (!wanted.isWhole()) {
            return Optional.of(RemovalRule.UNCHECKED);
        }
        long failing = wanted.failing() + wanted.refused();
        if (failing > 0) {
            return Optional.of("nothing is removed while %d documents fail".formatted(failing));
        }
        int held = inventory.entries().size();
        return options.rule().objection(left.size(), held, left.size() == held, "objects");
    }

    /* Returns whether nothing is left to do. */
    private boolean removed(ObjectIdentity identity, Inventory.Entry entry, boolean impersonates, Changes changes)
            throws IOException {
        if (config.now().isLocked()) {
            return false;
        }
        try {
            Optional<Resource> resource = discovery.find(identity);
            if (resource.isEmpty()) {
                return true; // the kind is gone, and all its objects with it
            }
            String user = impersonates ? entry.user() == null ? options.defaultUser() : entry.user() : null;
            Done done = work.remove(identity, entry, resource.get(), user);
            if (done.kind() != null) {
                changes.add(identity, done, false);
            }
            return done.isGone();
        } catch (ApiFailure e) {
            changes.nothing(identity.toString(), Kind.FAILED, e.told(true));
            return false;
        }
    }
}
