package dev.strake.engine.graph;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.operations.OperationsDocument.Target;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Caches the results of searches in one graph. Many documents need the same search.
 *
 * <pre>
 *   a crowd    a thousand replacements of one document: which one counts?
 *   a chain    a replaced by b, b by c, and so on: which is the last one?
 *   a group    documents with operations on one target, and all that inherit it: which of them are in force?
 * </pre>
 *
 * <p>All results are derived from the graph, and take a fraction of its size. Thread-safe.
 */
final class LongSearches {

    /** A search of this many steps takes longer than a lookup of its cached result. */
    private static final int LONG = 32;

    private final Map<Object, DocumentId> choices = new HashMap<>(0);
    private final Chains replacements = new Chains();
    private final Chains places = new Chains();
    private final Chains inheritance = new Chains();
    private final Map<Object, List<DocumentId>> operators = new HashMap<>(0);
    private volatile Targets targets;

    /** Chooses one of the documents that compete for a reference. */
    DocumentId choice(
            Object reference, Collection<DocumentId> rivals, Function<Collection<DocumentId>, DocumentId> choice) {
        if (rivals.size() < LONG) {
            return choice.apply(rivals);
        }
        synchronized (choices) {
            if (!choices.containsKey(reference)) {
                choices.put(reference, choice.apply(rivals));
            }
            return choices.get(reference);
        }
    }

    /** Chains from a document to its replacement. */
    Chains replacements() {
        return replacements;
    }

    /** Chains from a replacement to the document whose place it takes. */
    Chains places() {
        return places;
    }

    /** Chains from a document that inherits its target to its base. */
    Chains inheritance() {
        return inheritance;
    }

    /**
     * The documents in force whose operations change a target.
     *
     * @param owners the documents that have the target
     */
    List<DocumentId> operators(
            Object target, Collection<DocumentId> owners, Function<Collection<DocumentId>, List<DocumentId>> search) {
        if (owners.isEmpty()) {
            return List.of();
        }
        synchronized (operators) {
            return operators.computeIfAbsent(target, each -> search.apply(owners));
        }
    }

    /** The documents that match a target. Caches the latest target: documents that share it mostly come in sequence. */
    List<DocumentId> targets(Target target, Function<Target, List<DocumentId>> search) {
        Targets known = targets;
        if (known == null || !known.target.equals(target)) {
            known = new Targets(target, search.apply(target));
            targets = known;
        }
        return known.documents;
    }

    private record Targets(Target target, List<DocumentId> documents) {}

    /** The ends of chains. Of a long chain, links at regular distances are cached, so that later searches end early. */
    static final class Chains {

        private final Map<DocumentId, DocumentId> ends = new HashMap<>(0);

        /**
         * The last document of a chain.
         *
         * @param next returns the next document; null for the last one
         */
        DocumentId end(DocumentId first, UnaryOperator<DocumentId> next) {
            DocumentId at = first;
            DocumentId end = null;
            List<DocumentId> passed = List.of();
            for (int steps = 1; end == null; steps++) {
                DocumentId following = next.apply(at);
                if (following == null) {
                    end = at;
                } else {
                    at = following;
                    end = steps < LONG ? null : known(at);
                }
                if (steps % LONG == 0) {
                    passed = passed.isEmpty() ? new ArrayList<>() : passed;
                    passed.add(at);
                }
            }
            if (!passed.isEmpty()) {
                keep(passed, end);
            }
            return end;
        }

        private synchronized DocumentId known(DocumentId link) {
            return ends.get(link);
        }

        private synchronized void keep(Collection<DocumentId> links, DocumentId end) {
            links.forEach(link -> ends.put(link, end));
        }
    }
}
