package dev.strake.bench.engine;

import dev.strake.bench.DocumentSets;
import dev.strake.engine.document.Document;
import dev.strake.engine.document.Substitution;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.layering.Layering;
import dev.strake.engine.limit.Budget;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.path.Path;
import dev.strake.engine.path.PathConflictException;
import dev.strake.engine.path.PathSyntaxException;
import dev.strake.engine.problem.EvaluationException;
import dev.strake.engine.substitution.Substituting;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The steps of evaluating one document of 2 KB, each for itself. */
@State(Scope.Thread)
public class Evaluating {

    private static final String DEEP = ".section1.ingress_backup";

    private final DocumentSets set = DocumentSets.ofSize(7, 100);
    private final Document child = Document.ofValid(set.leaf(1, 0));
    private final MapValue own = (MapValue) child.data();
    private final MapValue parent =
            (MapValue) Document.ofValid(set.profile(0, 0)).data();
    private final Substitution whole = child.substitutions().get(0);
    private final Substitution pattern = child.substitutions().get(1);
    private final MapValue catalogue =
            (MapValue) Document.ofValid(set.leaf(2, 0)).data();
    private final Value secret = new Text("b7f3a1");
    private final DocumentId source = child.id();
    private final Path path;

    public Evaluating() {
        try {
            path = Path.of(DEEP);
        } catch (PathSyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    @Benchmark
    public Value readPath() {
        return path.first(own, budget());
    }

    @Benchmark
    public Value writePath() throws PathConflictException {
        return path.write(own, secret, budget());
    }

    @Benchmark
    public Path compilePath() throws PathSyntaxException {
        return Path.of(DEEP);
    }

    @Benchmark
    public Value mergeDeeply() {
        return parent.mergedWith(own, units -> {});
    }

    @Benchmark
    public Value layerChild() throws EvaluationException {
        Budget budget = budget();
        Value data = parent;
        for (int i = 0; i < child.actions().size(); i++) {
            data = Layering.apply(child.actions().get(i), i, own, data, budget);
        }
        return data;
    }

    @Benchmark
    public Value substituteValue() throws EvaluationException, PathSyntaxException {
        return substitute(whole, catalogue);
    }

    @Benchmark
    public Value substitutePattern() throws EvaluationException, PathSyntaxException {
        return substitute(pattern, secret);
    }

    private Value substitute(Substitution substitution, Value from) throws EvaluationException, PathSyntaxException {
        Budget budget = budget();
        Value found = Substituting.select(substitution.source(), from, budget);
        Value picked = Substituting.pick(substitution.source(), 0, found, source, budget, warning -> {});
        Value data = own;
        for (Substitution.Destination destination : substitution.destinations()) {
            data = Substituting.write(destination, 0, 0, picked, data, source, budget);
        }
        return data;
    }

    private static Budget budget() {
        return RenderLimits.DEFAULT.budget();
    }
}
