package dev.strake.bench.engine;

import dev.strake.bench.Cloud;
import dev.strake.engine.template.KeptTree;
import dev.strake.engine.template.TemplateAnswer;
import dev.strake.engine.template.TemplateRequest;
import dev.strake.engine.template.TemplateValidator;
import dev.strake.engine.template.TreeRequest;
import dev.strake.engine.template.ValidatedTree;
import dev.strake.engine.template.source.SourceFile;
import dev.strake.engine.template.tree.Limits;
import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.template.SourceMap;
import dev.strake.serdes.template.TextSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** A tree of Heat templates of 10 KB each, every one with 25 parameters and a small nested template of its own. */
@State(Scope.Thread)
public class TemplateTree {

    @Param({"50", "200"})
    private int documents;

    private static final TreeRequest TREE =
            new TreeRequest("top.yaml", List.of(), MapValue.EMPTY, TemplateRequest.Mode.DEEP, Limits.DEFAULT);

    private TemplateRequest read;
    private KeptTree kept;
    private Map<String, SourceFile> files;
    private SourceFile[] leaves;
    private int edits;

    @Setup
    public void read() {
        read = request();
        TemplateValidator.validate(read);
        files = new HashMap<>(((SourceMap) read.files()).files());
        files.put("top.yaml", read.template());
        kept = new KeptTree(64 << 20);
        kept.validate(TREE, files::get);
        String leaf = Cloud.madeUp(2).get("inner0.yaml");
        leaves = new SourceFile[] {
            new TextSource("inner0.yaml", leaf), new TextSource("inner0.yaml", leaf + "description: other\n")
        };
    }

    private TemplateRequest request() {
        Map<String, SourceFile> files = new HashMap<>();
        Cloud.madeUp(documents).forEach((name, text) -> files.put(name, new TextSource(name, text)));
        return new TemplateRequest(
                files.remove("top.yaml"),
                new SourceMap(files),
                null,
                List.of(),
                MapValue.EMPTY,
                true,
                List.of(),
                TemplateRequest.Mode.DEEP,
                Limits.DEFAULT);
    }

    /** The texts are read, too, as a command does that starts with nothing. */
    @Benchmark
    public TemplateAnswer readAndValidate() {
        return TemplateValidator.validate(request());
    }

    /** As {@link #validate}, but the tree was validated before, and one template without others below it differs. */
    @Benchmark
    public ValidatedTree validateAfterAnEdit() {
        files.put("inner0.yaml", leaves[edits++ & 1]);
        return kept.validate(TREE, files::get);
    }

    /** As {@link #validateAfterAnEdit}, but nothing differs. */
    @Benchmark
    public ValidatedTree findThatNothingDiffers() {
        return kept.validate(TREE, files::get);
    }

    /** All texts have been read before. */
    @Benchmark
    public TemplateAnswer validate() {
        return TemplateValidator.validate(read);
    }
}
