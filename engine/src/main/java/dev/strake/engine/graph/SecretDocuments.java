package dev.strake.engine.graph;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.operations.OperationsDocument.Target;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.organicdesign.fp.collections.PersistentHashSet;
import org.organicdesign.fp.collections.PersistentHashSet.MutHashSet;

/**
 * Finds the secret documents of the next revision. A document is secret if it is encrypted, or if the data of a secret
 * document goes into its rendering: the data of its base, of a source, or of operations on it. A DataSchema only checks
 * data, so it makes no document secret.
 *
 * <p>Whether a document is secret depends on the graph alone, not on any data. A source that becomes encrypted with the same
 * data makes its dependents secret, and one that becomes clear frees them.
 *
 * <pre>
 *   seeds
 *      │ 1. unmark those that were secret without being encrypted, and, in turn, documents made of them
 *      ▼
 *   seeds, and unmarked documents
 *      │ 2. mark those that are encrypted or made of a secret document, and, in turn, documents made of them
 * </pre>
 *
 * Documents of a cycle that made one another secret are unmarked together, so a cycle cannot keep itself secret.
 */
final class SecretDocuments {

    private final Graph before;
    private final Graph after;
    private final ChangeEffort effort;
    private final Set<DocumentId> changed = new HashSet<>();
    private final MutHashSet<DocumentId> secret;

    /**
     * @param after the graph of the next revision, whose secret documents are not yet known
     * @param effort counts the documents and edges that are inspected
     */
    SecretDocuments(Graph before, Graph after, ChangeEffort effort) {
        this.before = before;
        this.after = after;
        this.effort = effort;
        this.secret = before.secret.mutable();
    }

    /**
     * Finds the secret documents of a graph without a predecessor.
     *
     * @param encrypted the encrypted documents of the graph
     */
    static PersistentHashSet<DocumentId> of(Graph graph, Collection<DocumentId> encrypted) {
        SecretDocuments found = new SecretDocuments(Graph.EMPTY, graph, new ChangeEffort(Long.MAX_VALUE));
        Deque<DocumentId> open = new ArrayDeque<>();
        encrypted.forEach(id -> found.become(id, open));
        found.spread(open);
        return found.secret.immutable();
    }

    /**
     * Finds the secret documents of the next revision.
     *
     * @param edited the documents that were added, changed or removed
     * @param seeds the documents that were edited, or whose references resolve differently
     */
    PersistentHashSet<DocumentId> find(Collection<DocumentId> edited, Collection<DocumentId> seeds) {
        for (DocumentId id : edited) {
            if (after.node(id) == null) {
                secret.without(id);
            }
        }
        Set<DocumentId> doubtful = doubtful(seeds);
        for (DocumentId id : doubtful) {
            secret.without(id);
        }
        Deque<DocumentId> open = new ArrayDeque<>();
        seeds.forEach(id -> reconsider(id, open));
        doubtful.forEach(id -> reconsider(id, open));
        spread(open);
        doubtful.forEach(this::note);
        return secret.immutable();
    }

    /** The documents of both revisions that are secret in only one of them. */
    Set<DocumentId> changed() {
        return changed;
    }

    private Set<DocumentId> doubtful(Collection<DocumentId> seeds) {
        Set<DocumentId> doubtful = new LinkedHashSet<>();
        Deque<DocumentId> open = new ArrayDeque<>();
        Consumer<DocumentId> doubt = id -> {
            if (before.isSecret(id) && !after.facts(id).isEncrypted() && doubtful.add(id)) {
                open.add(id);
            }
        };
        for (DocumentId id : seeds) {
            doubt.accept(id);
        }
        Set<Target> known = new HashSet<>();
        while (!open.isEmpty()) {
            forEachMadeOf(open.remove(), known, doubt);
        }
        return doubtful;
    }

    private void reconsider(DocumentId id, Deque<DocumentId> open) {
        effort.spend(1);
        if (after.facts(id).isEncrypted() || isMadeOfSecret(id)) {
            become(id, open);
        }
    }

    private boolean isMadeOfSecret(DocumentId id) {
        for (Dependency dependency : after.dependencies(id, effort)) {
            if (dependency.on() != null && dependency.reference().isInput() && secret.contains(dependency.on())) {
                return true;
            }
        }
        return false;
    }

    private void become(DocumentId id, Deque<DocumentId> open) {
        if (!secret.contains(id)) {
            secret.put(id);
            open.add(id);
            note(id);
        }
    }

    private void spread(Deque<DocumentId> open) {
        Set<Target> known = new HashSet<>();
        while (!open.isEmpty()) {
            forEachMadeOf(open.remove(), known, id -> become(id, open));
        }
    }

    /*
     * Thousands of documents may operate on one target. Its documents are visited only once.
     */
    private void forEachMadeOf(DocumentId source, Set<Target> known, Consumer<DocumentId> made) {
        Facts facts = after.facts(source);
        Target target = facts.isOperations() && after.isInForce(facts) ? after.target(source) : null;
        boolean isKnown = target != null && !known.add(target);
        for (Resolver resolver : Resolver.ALL) {
            if (!(isKnown && resolver instanceof OperationResolver)) {
                resolver.forEachDependent(
                        after,
                        facts,
                        (id, dependency) -> {
                            effort.spend(1);
                            if (dependency.reference().isInput()) {
                                made.accept(id);
                            }
                        },
                        effort);
            }
        }
    }

    private void note(DocumentId id) {
        if (before.node(id) != null && before.isSecret(id) != secret.contains(id)) {
            changed.add(id);
        } else {
            changed.remove(id);
        }
    }
}
