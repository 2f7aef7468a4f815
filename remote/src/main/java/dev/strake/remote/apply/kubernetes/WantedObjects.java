package dev.strake.remote.apply.kubernetes;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.remote.apply.kubernetes.Discovery.Resource;
import dev.strake.remote.object.ObjectIdentity;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The objects that a cluster should have: the documents, their objects in the cluster, and the documents that are due
 * because they are new, failed before, or have to be checked for drift.
 */
final class WantedObjects {

    private final NavigableMap<DocumentKey, Desired> documents = new TreeMap<>();
    private final Map<DocumentKey, ObjectIdentity> placed = new HashMap<>();
    private final Set<DocumentKey> due = new HashSet<>();
    private final Retries<DocumentKey> retries = new Retries<>();
    private boolean isWhole;

    /**
     * Forgets all documents: the update that follows contains the full set.
     *
     * @param areAll whether the full set is known to be complete
     */
    void beginAnew(boolean areAll) {
        documents.clear();
        placed.clear();
        due.clear();
        retries.clear();
        isWhole = areAll;
    }

    /** Adds or replaces a document. It is due. */
    void put(Desired document) {
        documents.put(document.key(), document);
        due.add(document.key());
    }

    /** Removes a document that left the workspace, or that is about to be replaced. */
    void remove(DocumentKey key) {
        documents.remove(key);
        placed.remove(key);
        retries.done(key);
        due.remove(key);
    }

    boolean isEmpty() {
        return documents.isEmpty();
    }

    boolean has(DocumentKey key) {
        return documents.containsKey(key);
    }

    /** Whether the documents are known to be all documents of the workspace. */
    boolean isWhole() {
        return isWhole;
    }

    /** Returns the documents to apply next. */
    List<Desired> due() {
        return due.stream().map(documents::get).toList();
    }

    boolean isAnythingDue() {
        return !due.isEmpty();
    }

    void allAreDue() {
        due.addAll(documents.keySet());
    }

    /** Makes failed documents due again once their backoff has expired. */
    void retriesAreDue() {
        documents.keySet().stream().filter(retries::isDue).forEach(due::add);
    }

    /** A document was applied, or nothing can be done for it now. */
    void done(Desired document) {
        due.remove(document.key());
        retries.done(document.key());
    }

    /** A document could not be applied. */
    void failed(Desired document, Duration atLeast) {
        due.remove(document.key());
        if (!document.isRefused()) { // a refused document cannot succeed on any cluster
            retries.failed(document.key(), atLeast);
        }
    }

    /** Returns how many documents wait for a retry. */
    int failing() {
        return retries.size();
    }

    /** Returns how many documents can never be applied as they are. */
    long refused() {
        return documents.values().stream().filter(Desired::isRefused).count();
    }

    /** Records the object of a document in the cluster. */
    void place(Desired document, ObjectIdentity identity) {
        placed.put(document.key(), identity);
    }

    /** Returns the object of a document, as far as it is known; empty if it has none. */
    Optional<ObjectIdentity> identity(Desired document) {
        return Optional.ofNullable(placed.getOrDefault(document.key(), document.identity()));
    }

    /** Returns the document of each object, as a copy. */
    Map<ObjectIdentity, DocumentKey> claims() {
        Map<ObjectIdentity, DocumentKey> claims = new HashMap<>();
        placed.forEach((key, identity) -> claims.put(identity, key));
        return claims;
    }

    /** Returns the resource of a document whose kind another document defines, if the cluster does not have it yet. */
    Optional<Resource> defined(Desired document) {
        return documents.values().stream()
                .filter(each -> !each.isRefused() && each.identity().kind().equals("CustomResourceDefinition"))
                .flatMap(each ->
                        Discovery.defined(
                                each.object(),
                                document.apiVersion(),
                                document.identity().kind())
                                .stream())
                .findFirst();
    }
}
