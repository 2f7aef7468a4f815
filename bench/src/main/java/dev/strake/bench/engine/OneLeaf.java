package dev.strake.bench.engine;

import dev.strake.bench.DocumentSets;
import dev.strake.engine.document.Document;
import dev.strake.engine.workspace.Update;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** One document changes in a workspace of many: nothing else may matter, least of all how many there are. */
@State(Scope.Thread)
public class OneLeaf {

    @Param({"1000", "10000", "100000"})
    public int documents;

    private DocumentSets set;
    private HeapWorkspace workspace;
    private List<Document> changed;
    private int next;

    @Setup
    public void load() {
        set = DocumentSets.ofSize(7, documents);
        workspace = new HeapWorkspace(set);
    }

    @Setup(Level.Invocation)
    public void edit() {
        int leaf = (int) (next * 7_919L % set.leaves());
        changed = HeapWorkspace.fresh(List.of(set.leaf(leaf, ++next)));
    }

    @Benchmark
    public Update changeOneLeaf() {
        return workspace.put(changed);
    }
}
