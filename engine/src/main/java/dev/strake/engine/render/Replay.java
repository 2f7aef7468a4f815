package dev.strake.engine.render;

import dev.strake.engine.document.Document;
import dev.strake.engine.graph.Dependency;
import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.problem.EvaluationException;
import dev.strake.engine.tree.Value;
import java.util.List;

/** Evaluates one document once more, step by step, for whoever wants to see how its data came about. */
public final class Replay {

    private Replay() {}

    /**
     * Takes all steps of an evaluation.
     *
     * @param dependencies of the document, as the graph has them; all of them exist and have no problem
     * @param inputs what the documents that it depends on rendered to
     * @param effort counts the work
     * @param watcher sees each step with the data before and after it
     * @return the rendered data
     * @throws EvaluationException if the document cannot be rendered
     */
    public static Value of(
            Document document, List<Dependency> dependencies, Inputs inputs, ChangeEffort effort, Step.Watcher watcher)
            throws EvaluationException {
        Evaluator evaluator = Evaluator.of(document, dependencies, inputs, RenderLimits.NONE, warning -> {});
        Value result = evaluator.evaluate(watcher);
        effort.spend(evaluator.effort());
        return result;
    }
}
