package dev.strake.bench.engine;

import dev.strake.bench.Cloud;
import dev.strake.engine.document.Document;
import dev.strake.engine.render.Renderer;
import dev.strake.engine.workspace.Update;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * One leaf template of a full cloud changes in a workspace that keeps the cloud valid.
 */
public class HeatStackEdit {

    /** A workspace with a cloud, before an edit. */
    @State(Scope.Thread)
    public abstract static class Edit {

        private final String mode;
        private Cloud cloud;
        private HeapWorkspace workspace;
        private String leaf;
        private List<Document> changed;
        private int edits;

        Edit(String mode) {
            this.mode = mode;
        }

        /** Loads the cloud, and finds a template that one stack alone is made from. */
        @Setup
        public void load() {
            cloud = new Cloud(mode);
            workspace = new HeapWorkspace(HeapWorkspace.fresh(cloud.documents()), Renderer.holdingDocuments());
            leaf = cloud.templates().stream()
                    .filter(this::changesOneStack)
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("no template is used by one stack alone"));
        }

        private boolean changesOneStack(String template) {
            long stacks = workspace.put(edited(template)).emissions().stream()
                    .filter(emission -> emission.owner() != null)
                    .count();
            return stacks == 1;
        }

        private List<Document> edited(String template) {
            return HeapWorkspace.fresh(List.of(cloud.edited(template, ++edits)));
        }

        /** Edits the leaf. */
        @Setup(Level.Invocation)
        public void edit() {
            changed = edited(leaf);
        }

        Update apply() {
            return workspace.put(changed);
        }
    }

    /** What Heat's own call checks. */
    public static class AsHeat extends Edit {
        public AsHeat() {
            super("as-heat");
        }
    }

    /** Everything at every depth. */
    public static class Deep extends Edit {
        public Deep() {
            super("deep");
        }
    }

    @Benchmark
    public Update editOneLeaf(AsHeat edit) {
        return edit.apply();
    }

    @Benchmark
    public Update editOneLeafDeep(Deep edit) {
        return edit.apply();
    }
}
