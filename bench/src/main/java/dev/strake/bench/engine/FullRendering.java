package dev.strake.bench.engine;

import dev.strake.bench.DocumentSets;
import dev.strake.engine.document.Document;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.workspace.Update;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** A whole set rendered from nothing, as by the first change of a workspace. */
@State(Scope.Thread)
public class FullRendering {

    @Param({"100", "1000", "10000"})
    public int documents;

    private List<MapValue> trees;
    private List<Document> fresh;

    @Setup
    public void make() {
        trees = DocumentSets.ofSize(7, documents).all();
    }

    @Setup(Level.Invocation)
    public void read() {
        fresh = HeapWorkspace.fresh(trees);
    }

    @Benchmark
    public Update renderAll() {
        return HeapWorkspace.first(fresh);
    }
}
