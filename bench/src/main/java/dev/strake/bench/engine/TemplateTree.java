package dev.strake.bench.engine;

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
        leaves = new SourceFile[] {
            new TextSource("inner0.yaml", inner()), new TextSource("inner0.yaml", inner() + "description: other\n")
        };
    }

    private TemplateRequest request() {
        StringBuilder top =
                new StringBuilder("heat_template_version: rocky\nparameters:\n  p0: {type: string}\nresources:\n");
        Map<String, SourceFile> files = new HashMap<>();
        for (int i = 0; i < documents / 2; i++) {
            top.append("  r")
                    .append(i)
                    .append(":\n    type: outer")
                    .append(i)
                    .append(".yaml\n    properties: {p0: {get_param: p0}}\n");
            files.put("outer" + i + ".yaml", new TextSource("outer" + i + ".yaml", outer(i)));
            files.put("inner" + i + ".yaml", new TextSource("inner" + i + ".yaml", inner()));
        }
        return new TemplateRequest(
                new TextSource("top.yaml", top.toString()),
                new SourceMap(files),
                null,
                List.of(),
                MapValue.EMPTY,
                true,
                List.of(),
                TemplateRequest.Mode.DEEP,
                Limits.DEFAULT);
    }

    private static String outer(int number) {
        StringBuilder text = new StringBuilder("heat_template_version: rocky\nparameters:\n");
        for (int i = 0; i < 25; i++) {
            text.append("  p")
                    .append(i)
                    .append(":\n    type: string\n    default: d")
                    .append(i)
                    .append("\n    description: What the service is told about number ")
                    .append(i)
                    .append("\n");
        }
        text.append("conditions:\n  set: {not: {equals: [{get_param: p1}, '']}}\nresources:\n  inner:\n    type: inner")
                .append(number)
                .append(".yaml\n    properties: {name: {list_join: ['-', [{get_param: p0}, {get_param: p1}]]}}\n")
                .append("outputs:\n  role_data:\n    value:\n");
        for (int i = 0; i < 80; i++) {
            text.append("      setting::number::")
                    .append(i)
                    .append(": {if: [set, {get_param: p")
                    .append(i % 25)
                    .append("}, {get_attr: [inner, out]}]}\n");
        }
        return text.toString();
    }

    private static String inner() {
        return """
                heat_template_version: rocky
                parameters:
                  name: {type: string}
                resources:
                  v: {type: 'OS::Heat::Value', properties: {value: {get_param: name}}}
                outputs:
                  out: {value: {get_attr: [v, value]}}
                """;
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
