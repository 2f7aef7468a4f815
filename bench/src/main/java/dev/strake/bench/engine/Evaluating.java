package dev.strake.bench.engine;

import dev.strake.bench.DocumentSets;
import dev.strake.engine.document.Document;
import dev.strake.engine.document.RenderLimits;
import dev.strake.engine.document.Substitution;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.layering.Layering;
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
        return path.first(own);
    }

    @Benchmark
    public Value writePath() throws PathConflictException {
        return path.write(own, secret, RenderLimits.DEFAULT.padding());
    }

    @Benchmark
    public Path compilePath() throws PathSyntaxException {
        return Path.of(DEEP);
    }

    @Benchmark
    public Value mergeDeeply() {
        return parent.mergedWith(own);
    }

    @Benchmark
    public Value layerChild() throws EvaluationException {
        return Layering.apply(child.actions(), own, parent, RenderLimits.DEFAULT.padding());
    }

    @Benchmark
    public Value substituteValue() throws EvaluationException, PathSyntaxException {
        Value value = Substituting.select(whole.source(), catalogue);
        return Substituting.apply(whole, 0, value, source, own, RenderLimits.DEFAULT, warning -> {});
    }

    @Benchmark
    public Value substitutePattern() throws EvaluationException, PathSyntaxException {
        Value value = Substituting.select(pattern.source(), secret);
        return Substituting.apply(pattern, 1, value, source, own, RenderLimits.DEFAULT, warning -> {});
    }
}
