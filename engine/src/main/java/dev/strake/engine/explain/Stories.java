package dev.strake.engine.explain;

import dev.strake.engine.document.Document;
import dev.strake.engine.graph.Dependency;
import dev.strake.engine.graph.Graph;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.operations.OperationsDocument;
import dev.strake.engine.problem.EvaluationException;
import dev.strake.engine.render.Contents;
import dev.strake.engine.render.Evaluator;
import dev.strake.engine.render.Inputs;
import dev.strake.engine.render.Step;
import dev.strake.engine.tree.HeapSize;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * How documents of one revision were evaluated. Evaluates a document again, with copies of its inputs to track the
 * origin of each value, and records all steps. Not thread-safe.
 */
final class Stories {

    /** The heap of a copy relative to the value: the value again, and the origin of each part. */
    private static final int HEAP_OF_COPY = 4;

    private final Graph graph;
    private final Contents contents;
    private final ChangeEffort effort;
    private final LongConsumer held;
    private final Map<DocumentId, Story> known = new HashMap<>();

    /** A step of an evaluation, with the document's data before and after it. */
    record Taken(Step step, Value before, Value after) {}

    /** How one document was evaluated. */
    record Story(List<Taken> steps, ValueOrigins origins) {

        Value result() {
            return steps.get(steps.size() - 1).after();
        }
    }

    /** The parameters are those of {@link Explainer}. */
    Stories(Graph graph, Contents contents, ChangeEffort effort, LongConsumer held) {
        this.graph = graph;
        this.contents = contents;
        this.effort = effort;
        this.held = held;
    }

    /** The story of a document without a problem. */
    Story of(DocumentId id) {
        Story story = known.get(id);
        if (story == null) {
            story = evaluate(id);
            known.put(id, story);
        }
        return story;
    }

    private Story evaluate(DocumentId id) {
        Document published = contents.document(id);
        ValueOrigins origins = new ValueOrigins();
        Value own = copy(origins, published.data(), id, true);
        Document document = Document.ofValid(published.tree().with("data", own));
        List<Dependency> dependencies = graph.dependencies(id).stream()
                .filter(dependency -> dependency.reference().isInput())
                .toList();
        effort.spend(ChangeEffort.FOR_LOOKUP * dependencies.size());
        List<Taken> steps = new ArrayList<>();
        try {
            Copies copies = new Copies(origins, published.isEncrypted());
            Evaluator evaluator = Evaluator.of(document, dependencies, copies, RenderLimits.NONE, warning -> {});
            evaluator.evaluate((step, before, after) -> steps.add(new Taken(step, before, after)));
            effort.spend(evaluator.effort());
        } catch (EvaluationException e) {
            throw new IllegalStateException(id + " cannot be rendered, so there is nothing to explain", e);
        }
        return new Story(steps, origins);
    }

    private Value copy(ValueOrigins origins, Value value, DocumentId of, boolean isOwn) {
        held.accept(HEAP_OF_COPY * HeapSize.of(value));
        return origins.copy(value, of, isOwn);
    }

    /** The contents, with copies of the rendered data. */
    Contents copied(ValueOrigins origins) {
        Copies copies = new Copies(origins, false);
        return new Contents() {
            @Override
            public Document document(DocumentId id) {
                return contents.document(id);
            }

            @Override
            public Value data(DocumentId id) {
                return copies.data(id);
            }
        };
    }

    /** Copies of rendered data. */
    private final class Copies implements Inputs {

        private final ValueOrigins origins;
        private final boolean secret;
        private final Map<DocumentId, Value> copies = new HashMap<>();

        /** @param secret whether the document that reads the copies is encrypted */
        Copies(ValueOrigins origins, boolean secret) {
            this.origins = origins;
            this.secret = secret;
        }

        @Override
        public Value data(DocumentId id) {
            return copies.computeIfAbsent(
                    id, each -> copy(origins, contents.data(each).secretIf(secret), each, false));
        }

        /* Marks only the values, because an operation that is secret as a whole does not hide its path. */
        @Override
        public OperationsDocument operations(DocumentId id) {
            if (!secret) {
                return Inputs.super.operations(id);
            }
            Inputs marked = each -> copy(origins, withSecretValues(contents.data(each)), each, false);
            return marked.operations(id);
        }
    }

    private static Value withSecretValues(Value data) {
        if (!(data instanceof MapValue map) || !(map.get("operations") instanceof ListValue operations)) {
            return data;
        }
        List<Value> marked = new ArrayList<>();
        for (Value each : operations.items()) {
            marked.add(
                    each instanceof MapValue fields && fields.has("value")
                            ? fields.with("value", fields.get("value").secret())
                            : each);
        }
        return map.with("operations", ListValue.of(marked));
    }
}
