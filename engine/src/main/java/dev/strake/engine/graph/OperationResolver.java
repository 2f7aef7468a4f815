package dev.strake.engine.graph;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.operations.OperationsDocument.Target;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Operations: a document depends on every document whose operations are meant for it.
 *
 * <p>The target is read from the document's own data, or else from the document it layers on. So edges are known before
 * anything is rendered. Rendered data with another target is a problem of its document.
 *
 * <p>Only documents in force change others. They change every document that their target matches, abstract ones too. They
 * never change control documents, and never a document that is replaced: its replacement is changed instead.
 */
final class OperationResolver implements Resolver {

    @Override
    public void addDependencies(Graph graph, Facts document, List<Dependency> dependencies) {
        for (DocumentId operator : operators(graph, document)) {
            dependencies.add(dependency(graph, operator));
        }
    }

    @Override
    public void forEachDependent(Graph graph, Facts document, BiConsumer<DocumentId, Dependency> dependent) {
        Collection<DocumentId> targets = targets(graph, document);
        if (!targets.isEmpty()) {
            Dependency dependency = dependency(graph, document.id());
            targets.forEach(target -> dependent.accept(target, dependency));
        }
    }

    /* The documents that inherit the target, and everything that they target. */
    @Override
    public void forEachReferrer(Graph graph, Facts document, Consumer<DocumentId> referrer) {
        if (document.isOperations()) {
            forEachHeir(graph, document.id(), heir -> {
                referrer.accept(heir);
                targets(graph, graph.facts(heir)).forEach(referrer);
            });
        }
    }

    private static Dependency dependency(Graph graph, DocumentId operator) {
        return new Dependency(new Reference.Operation(target(graph, operator)), operator);
    }

    /** The target of a document with operations, its own or the inherited one; null if there is none. */
    static Target target(Graph graph, DocumentId id) {
        for (DocumentId at = id; at != null; at = graph.base(at)) {
            Target target = graph.facts(at).claims().target();
            if (target != null) {
                return target;
            }
        }
        return null;
    }

    /** The documents that a document changes, in order of identity; none if it has no operations, or is not in force. */
    static Collection<DocumentId> targets(Graph graph, Facts document) {
        Target target = document.isOperations() && graph.isInForce(document) ? target(graph, document.id()) : null;
        if (target == null) {
            return List.of();
        }
        Set<DocumentId> result = new TreeSet<>();
        Consumer<DocumentId> addTarget = each -> {
            Facts facts = graph.facts(each);
            if (isChangeable(graph, facts) && isMeant(facts, target)) {
                result.add(each);
            }
        };
        if (target.name() == null) {
            Label.forEachCandidate(target.labels(), graph.carriers(), addTarget);
        } else {
            graph.withKey(new DocumentKey(target.schema(), target.name())).forEach(addTarget);
        }
        return result;
    }

    private static boolean isChangeable(Graph graph, Facts document) {
        return !document.isControl() && graph.replacements(document.id()).isEmpty();
    }

    private static boolean isMeant(Facts document, Target target) {
        return document.id().schema().equals(target.schema())
                && (target.name() == null
                        ? Label.isWanted(document.labels(), target.labels())
                        : document.id().name().equals(target.name()));
    }

    /** The documents whose operations change a document, in order of identity. */
    static Collection<DocumentId> operators(Graph graph, Facts document) {
        if (graph.hasNoTargets() || !isChangeable(graph, document)) {
            return List.of();
        }
        Set<DocumentId> result = new TreeSet<>();
        Consumer<DocumentId> addHeirs = owner -> {
            if (isMeant(document, graph.facts(owner).claims().target())) {
                forEachHeir(graph, owner, heir -> {
                    if (graph.isInForce(heir)) {
                        result.add(heir);
                    }
                });
            }
        };
        graph.forEachOwnerOfTarget(document, addHeirs);
        return result;
    }

    /* A document, and the documents that inherit its target because they have none of their own. */
    private static void forEachHeir(Graph graph, DocumentId id, Consumer<DocumentId> heir) {
        Deque<DocumentId> open = new ArrayDeque<>(List.of(id));
        while (!open.isEmpty()) {
            DocumentId next = open.pop();
            heir.accept(next);
            graph.forEachLayeredOn(next, child -> {
                if (child.claims().target() == null) {
                    open.push(child.id());
                }
            });
        }
    }
}
