package dev.strake.engine.render;

import dev.strake.engine.document.Document;
import dev.strake.engine.document.MissingKey;
import dev.strake.engine.graph.Dependency;
import dev.strake.engine.graph.Graph;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.operations.OperationsDocument;
import dev.strake.engine.problem.EvaluationException;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The contents of a revision whose documents are stored and whose renderings are not. Rendered data is computed again
 * when it is needed, from the documents it depends on. The walk is a loop, so chains may have any length.
 *
 * <p>The result is compared with the stored hash. So damaged documents, or a program that renders differently from the one
 * before, are noticed before anything else is rendered from the result.
 */
public final class DerivedContents implements Contents {

    private final Graph graph;
    private final Stored stored;

    /** The stored documents of a revision, and what is known of their renderings. */
    public interface Stored {

        /** A document as published. */
        Document document(DocumentId id);

        /** The hash of the data that a document rendered to; null if that is not known. */
        Fingerprint hash(DocumentId id);

        /** The data that a document rendered to, if it is cached; null otherwise. */
        Value data(DocumentId id);

        /** Caches computed data. */
        void keep(DocumentId id, Value data);
    }

    /** The contents of the revision with a graph. */
    public DerivedContents(Graph graph, Stored stored) {
        this.graph = graph;
        this.stored = stored;
    }

    @Override
    public Document document(DocumentId id) {
        return stored.document(id);
    }

    /**
     * {@inheritDoc}
     *
     * @throws UnderivableException if the result is not what was rendered
     */
    @Override
    public Value data(DocumentId wanted) {
        Value ready = atHand(wanted);
        if (ready != null) {
            return ready;
        }
        Known known = new Known();
        Map<DocumentId, List<Dependency>> entered = new HashMap<>();
        Deque<DocumentId> open = new ArrayDeque<>(List.of(wanted));
        while (!open.isEmpty()) {
            DocumentId id = open.peek();
            if (known.contains(id)) { // two documents needed it
                open.pop();
                continue;
            }
            boolean again = entered.containsKey(id);
            List<Dependency> inputs = entered.computeIfAbsent(id, this::inputs);
            List<DocumentId> missing = known.missing(inputs);
            if (missing.isEmpty()) {
                known.derive(open.pop(), inputs);
            } else if (again) {
                throw new UnderivableException(id, "it depends on itself");
            } else {
                missing.forEach(open::push);
            }
        }
        return known.data(wanted);
    }

    private Value atHand(DocumentId id) {
        return graph.rendersAsPublished(id) ? unlocked(stored.document(id)).data() : stored.data(id);
    }

    private static Document unlocked(Document document) {
        document.missingKey().ifPresent(key -> {
            throw new LockedException(document.id(), key);
        });
        return document;
    }

    /* The dependencies whose data goes into the rendering. Data was checked when the revision was made. */
    private List<Dependency> inputs(DocumentId id) {
        List<Dependency> result = new ArrayList<>();
        for (Dependency dependency : graph.dependencies(id)) {
            if (dependency.on() == null) {
                throw new UnderivableException(id, "nothing matches its " + dependency.reference());
            }
            if (dependency.reference().isInput()) {
                result.add(dependency);
            }
        }
        return result;
    }

    /** The values known while one document is computed. */
    private final class Known implements Inputs {

        private final Map<DocumentId, Value> values = new HashMap<>();

        boolean contains(DocumentId id) {
            return values.containsKey(id);
        }

        @Override
        public Value data(DocumentId id) {
            return values.get(id);
        }

        @Override
        public OperationsDocument operations(DocumentId id) {
            try {
                return OperationsDocument.of(data(id));
            } catch (EvaluationException e) {
                throw new UnderivableException(
                        id, "it now fails with " + e.toProblem(id).code());
            }
        }

        List<DocumentId> missing(List<Dependency> dependencies) {
            List<DocumentId> result = new ArrayList<>();
            for (Dependency dependency : dependencies) {
                DocumentId id = dependency.on();
                if (!contains(id)) {
                    Value value = atHand(id);
                    if (value == null) {
                        result.add(id);
                    } else {
                        values.put(id, value);
                    }
                }
            }
            return result;
        }

        void derive(DocumentId id, List<Dependency> inputs) {
            Document document = unlocked(stored.document(id));
            Value value;
            try {
                value = Evaluator.of(document, inputs, this, RenderLimits.NONE, warning -> {})
                        .evaluate(Step.Watcher.NONE);
            } catch (EvaluationException e) {
                throw new UnderivableException(
                        id, "it now fails with " + e.toProblem(id).code());
            }
            Fingerprint then = stored.hash(id);
            if (then != null && !then.fits(value)) {
                throw new UnderivableException(id, "the result differs");
            }
            values.put(id, value);
            stored.keep(id, value);
        }
    }

    /** A document no longer renders to the data of its revision. The message names the document but no content. */
    public static class UnderivableException extends IllegalStateException {

        UnderivableException(DocumentId id, String reason) {
            this(id + " cannot be rendered again as it was: " + reason
                    + ". Its stored documents are damaged, or a version that renders differently wrote them.");
        }

        private UnderivableException(String message) {
            super(message);
        }
    }

    /** The data of a document is unknown, because it depends on an encrypted document whose key is missing. */
    public static final class LockedException extends UnderivableException {

        private final DocumentId id;
        private final MissingKey key;

        LockedException(DocumentId id, MissingKey key) {
            super("data that depends on " + id + " is unknown, because "
                    + key.problemOf(id).message() + "; " + key.problemOf(id).hint());
            this.id = id;
            this.key = key;
        }

        /** The problem of the document that is encrypted. */
        public Problem problem() {
            return key.problemOf(id);
        }

        /** The text that replaces the data. */
        public Text placeholder() {
            return key.placeholder();
        }
    }
}
