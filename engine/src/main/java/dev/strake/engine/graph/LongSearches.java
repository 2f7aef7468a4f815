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
 * What searches in one graph found. Many documents ask for the same: whoever comes later does not search again.
 *
 * <pre>
 *   a crowd    a thousand replacements of one document: which of them counts?
 *   a chain    a replaced by b, b by c, and so on: what comes last?
 *   a group    documents with operations on one target, and all that inherit it: which of them are in force?
 * </pre>
 *
 * <p>All of it follows from the graph, and is never more than a small part of the graph. May be used by several threads.
 */
final class LongSearches {

    /** From this number of steps on, a search takes longer than to look up what was found. */
    private static final int LONG = 32;

    private final Map<Object, DocumentId> choices = new HashMap<>(0);
    private final Chains replacements = new Chains();
    private final Chains places = new Chains();
    private final Chains inheritance = new Chains();
    private final Map<Object, List<DocumentId>> operators = new HashMap<>(0);
    private volatile Targets targets;

    /** The document chosen from those that compete for what a reference means. */
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

    /** Replacements of replacements. */
    Chains replacements() {
        return replacements;
    }

    /** Documents in whose place others stand, in whose place others stand. */
    Chains places() {
        return places;
    }

    /** Documents that inherit a target from one that inherits it. */
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

    /** The documents that a target means. Only those of one target are kept: many in turn may have it, and mean many documents. */
    List<DocumentId> targets(Target target, Function<Target, List<DocumentId>> search) {
        Targets known = targets;
        if (known == null || !known.target.equals(target)) {
            known = new Targets(target, search.apply(target));
            targets = known;
        }
        return known.documents;
    }

    private record Targets(Target target, List<DocumentId> documents) {}

    /** Where chains end. Of a long one, a link in so many is kept, so whoever begins elsewhere soon comes to one of these. */
    static final class Chains {

        private final Map<DocumentId, DocumentId> ends = new HashMap<>(0);

        /**
         * The last document of a chain.
         *
         * @param next names the document that follows; null behind the last one
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
