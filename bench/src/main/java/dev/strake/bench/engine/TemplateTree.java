package dev.strake.bench.engine;

import dev.strake.bench.Cloud;
import dev.strake.engine.template.TemplateAnswer;
import dev.strake.engine.template.TemplateRequest;
import dev.strake.engine.template.TemplateValidator;
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

    private TemplateRequest read;

    @Setup
    public void read() {
        read = request();
        TemplateValidator.validate(read);
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

    /** All texts have been read before. */
    @Benchmark
    public TemplateAnswer validate() {
        return TemplateValidator.validate(read);
    }
}
