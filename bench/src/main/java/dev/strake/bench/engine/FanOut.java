package dev.strake.bench.engine;

import dev.strake.bench.DocumentSets;
import dev.strake.engine.document.Document;
import dev.strake.engine.graph.Affected;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.workspace.Update;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** One parent changes, and all that layer on it with it. */
@State(Scope.Thread)
public class FanOut {

    @Param({"1", "10", "100", "1000", "10000", "50000"})
    public int children;

    private DocumentSets set;
    private HeapWorkspace workspace;
    private DocumentId parent;

    /** The next change of the parent. Of a state of its own, as what is allocated for it counts for whoever has it. */
    @State(Scope.Thread)
    public static class Edit {

        private List<Document> changed;
        private int next;

        @Setup(Level.Invocation)
        public void make(FanOut fanOut) {
            changed = HeapWorkspace.fresh(List.of(fanOut.set.profile(0, ++next)));
        }
    }

    @Setup
    public void load() {
        set = DocumentSets.family(7, children);
        workspace = new HeapWorkspace(set);
        parent = Document.ofValid(set.profile(0, 0)).id();
    }

    @Benchmark
    public Update changeParent(Edit edit) {
        return workspace.put(edit.changed);
    }

    @Benchmark
    public List<List<DocumentId>> walkAffected() {
        return new Affected(workspace.head().graph(), List.of(parent), new ChangeEffort(Long.MAX_VALUE)).levels();
    }
}
