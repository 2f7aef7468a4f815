package dev.strake.engine.graph;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.operations.OperationsDocument.Target;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Operations: a document depends on every document with operations that target it.
 *
 * <p>The target is read from the own data of the document with operations, or else from its base. So edges are known
 * before anything is rendered. If the rendered data has another target, that is a problem of the document.
 *
 * <p>Only documents in force change others. They change every document that their target matches, abstract ones too. They
 * never change control documents, and never a replaced document: they change its replacement instead.
 */
final class OperationResolver implements Resolver {

    @Override
    public void addDependencies(Graph graph, Facts document, List<Dependency> dependencies) {
        if (isChangeable(graph, document)) {
            int first = dependencies.size();
            forEachOperators(graph, document, (target, operators) -> {
                Reference reference = new Reference.Operation(target);
                operators.forEach(operator -> dependencies.add(new Dependency(reference, operator)));
            });
            dependencies.subList(first, dependencies.size()).sort(Comparator.comparing(Dependency::on));
        }
    }

    @Override
    public void forEachDependent(
            Graph graph, Facts document, BiConsumer<DocumentId, Dependency> dependent, ChangeEffort effort) {
        List<DocumentId> targets = targets(graph, document, effort);
        if (!targets.isEmpty()) {
            Dependency dependency = new Dependency(new Reference.Operation(graph.target(document.id())), document.id());
            targets.forEach(target -> dependent.accept(target, dependency));
        }
    }

    /* The document, those that inherit its target, and all documents that these target. */
    @Override
    public void forEachReferrer(Graph graph, Facts document, Consumer<DocumentId> referrer, ChangeEffort effort) {
        if (document.isOperations()) {
            forEachHeir(graph, document.id(), heir -> {
                effort.spend(ChangeEffort.FOR_LOOKUP);
                referrer.accept(heir);
                targets(graph, graph.facts(heir), effort).forEach(referrer);
            });
        }
    }

    /** Whether operations of any document change a document. */
    static boolean isOperatedOn(Graph graph, Facts document) {
        boolean[] found = new boolean[1];
        if (isChangeable(graph, document)) {
            forEachOperators(graph, document, (target, operators) -> found[0] = true);
        }
        return found[0];
    }

    /** The documents that a document changes, in order of identity; none if it is not in force or has no operations. */
    static List<DocumentId> targets(Graph graph, Facts document, ChangeEffort effort) {
        Target target = document.isOperations() && graph.isInForce(document) ? graph.target(document.id()) : null;
        if (target == null) {
            return List.of();
        }
        long each = ChangeEffort.FOR_LOOKUP + target.labels().size();
        effort.spend(each * candidates(graph, target).size()); // also if the targets are cached
        List<DocumentId> targets = graph.searches.targets(target, meant -> meant(graph, meant));
        effort.spend(ChangeEffort.FOR_LOOKUP * targets.size());
        return targets;
    }

    private static Collection<DocumentId> candidates(Graph graph, Target target) {
        return target.name() == null
                ? graph.candidates(target.schema(), target.labels())
                : graph.withKey(new DocumentKey(target.schema(), target.name()));
    }

    /* The documents that a target matches, in order of identity. */
    private static List<DocumentId> meant(Graph graph, Target target) {
        List<DocumentId> result = new ArrayList<>();
        for (DocumentId id : candidates(graph, target)) {
            Facts facts = graph.facts(id);
            if (isMeant(facts, target) && isChangeable(graph, facts)) {
                result.add(id);
            }
        }
        result.sort(null);
        return result;
    }

    private static boolean isChangeable(Graph graph, Facts document) {
        return !document.isControl() && graph.isEffective(document);
    }

    private static boolean isMeant(Facts document, Target target) {
        return document.id().schema().equals(target.schema())
                && (target.name() == null
                        ? Label.isWanted(document.labels(), target.labels())
                        : document.id().name().equals(target.name()));
    }

    /* Calls back with the documents in force that have operations on a document, once for each target. */
    private static void forEachOperators(Graph graph, Facts document, BiConsumer<Target, List<DocumentId>> operators) {
        Indexes indexes = graph.indexes;
        if (!indexes.operatorsByKey.isEmpty()) {
            addOperators(graph, document.key(), indexes.operatorsByKey.get(document.key()), operators);
        }
        if (!indexes.operatorsByLabels.isEmpty()) {
            indexes.operatorsByLabels.forEachWanted(
                    document.labelsAndSchema(), (wanted, owners) -> addOperators(graph, wanted, owners, operators));
        }
    }

    private static void addOperators(
            Graph graph, Object target, Collection<DocumentId> owners, BiConsumer<Target, List<DocumentId>> operators) {
        List<DocumentId> found = graph.searches.operators(target, owners, all -> inForce(graph, all));
        if (!found.isEmpty()) {
            operators.accept(ownTarget(graph, owners.iterator().next()), found);
        }
    }

    /** The target of a document with operations: its own, or one inherited from its base; null if there is none. */
    static Target target(Graph graph, DocumentId id) {
        DocumentId owner = graph.searches
                .inheritance()
                .end(id, heir -> ownTarget(graph, heir) == null ? ParentResolver.base(graph, heir) : null);
        return ownTarget(graph, owner);
    }

    private static Target ownTarget(Graph graph, DocumentId id) {
        return graph.facts(id).claims().target();
    }

    /* The documents in force among the owners of a target and the documents that inherit it, in order of identity. */
    private static List<DocumentId> inForce(Graph graph, Collection<DocumentId> owners) {
        List<DocumentId> result = new ArrayList<>();
        for (DocumentId owner : owners) {
            forEachHeir(graph, owner, heir -> {
                if (graph.isInForce(heir)) {
                    result.add(heir);
                }
            });
        }
        result.sort(null);
        return List.copyOf(result);
    }

    /* Calls back for a document and for the documents that inherit its target because they have no own target. */
    private static void forEachHeir(Graph graph, DocumentId id, Consumer<DocumentId> heir) {
        Deque<DocumentId> open = new ArrayDeque<>(List.of(id));
        while (!open.isEmpty()) {
            DocumentId next = open.pop();
            heir.accept(next);
            ParentResolver.forEachLayeredOn(graph, next, child -> {
                if (child.claims().target() == null) {
                    open.push(child.id());
                }
            });
        }
    }
}
