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
 * What a cluster is to have: the documents, the objects that they are there, and which of them are to be applied next, because
 * they are new, failed before, or are to be looked at.
 */
final class WantedObjects {

    private final NavigableMap<DocumentKey, Desired> documents = new TreeMap<>();
    private final Map<DocumentKey, ObjectIdentity> placed = new HashMap<>();
    private final Set<DocumentKey> due = new HashSet<>();
    private final Retries<DocumentKey> retries = new Retries<>();
    private boolean isWhole;

    /**
     * All documents come anew, and nothing else is wanted.
     *
     * @param areAll whether these are known to be all documents of the workspace
     */
    void beginAnew(boolean areAll) {
        documents.clear();
        placed.clear();
        due.clear();
        retries.clear();
        isWhole = areAll;
    }

    /** A document is new, or has become another one. */
    void put(Desired document) {
        documents.put(document.key(), document);
        due.add(document.key());
    }

    /** A document has left the workspace, or comes anew. */
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

    /** Whether these are known to be all documents of the workspace. */
    boolean isWhole() {
        return isWhole;
    }

    /** What is to be applied next. */
    List<Desired> due() {
        return due.stream().map(documents::get).toList();
    }

    boolean isAnythingDue() {
        return !due.isEmpty();
    }

    void allAreDue() {
        due.addAll(documents.keySet());
    }

    /** What failed is due again, if it has waited long enough. */
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
        if (!document.isRefused()) { // whatever the cluster says, it stays refused
            retries.failed(document.key(), atLeast);
        }
    }

    /** How many documents wait to be tried again. */
    int failing() {
        return retries.size();
    }

    /** How many documents can never be applied as they are. */
    long refused() {
        return documents.values().stream().filter(Desired::isRefused).count();
    }

    /** It is known which object of the cluster a document is. */
    void place(Desired document, ObjectIdentity identity) {
        placed.put(document.key(), identity);
    }

    /** The object that a document is, as far as it is known; empty if it is none. */
    Optional<ObjectIdentity> identity(Desired document) {
        return Optional.ofNullable(placed.getOrDefault(document.key(), document.identity()));
    }

    /** Which document each object comes from. It is the caller's. */
    Map<ObjectIdentity, DocumentKey> claims() {
        Map<ObjectIdentity, DocumentKey> claims = new HashMap<>();
        placed.forEach((key, identity) -> claims.put(identity, key));
        return claims;
    }

    /** The resource of a document whose kind is defined by another document, and not by the cluster yet. */
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
