package dev.strake.bench.engine;

import dev.strake.cli.files.PlainYaml;
import dev.strake.cli.output.YamlOutput;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.operations.OperationException;
import dev.strake.engine.operations.Operations;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.text.UnreadableTextException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Operations of BOSH on cf-deployment's manifest of 90 KB, in memory and from text to text. */
@State(Scope.Thread)
public class Operating {

    /** Of each kind as many as of the others: a value set by matches, an optional key made, an item put in and taken out. */
    private static final String[] KINDS = {
        "{type: replace, path: /instance_groups/name=api/instances, value: %d}",
        "{type: replace, path: '/instance_groups/name=diego-cell/jobs/name=rep/properties/bench?/key_%d', value: {a: [1, 2]}}",
        "{type: replace, path: /instance_groups/name=router/azs/-, value: z%d}",
        "{type: remove, path: /instance_groups/name=router/azs/-1, comment: %d}",
        "{type: test, path: /instance_groups/name=database/name, value: database, comment: %d}"
    };

    @Param({"1", "100", "1000"})
    public int operations;

    private String manifest;
    private String list;
    private Value tree;
    private Operations parsed;

    @Setup
    public void read() throws IOException, UnreadableTextException, OperationException {
        try (InputStream in = Operating.class.getResourceAsStream("/cf-deployment/cf-deployment.yml")) {
            manifest = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < operations; i++) {
            lines.append("- ").append(KINDS[i % KINDS.length].formatted(i)).append('\n');
        }
        list = lines.toString();
        tree = PlainYaml.parse(manifest, "manifest").value();
        parsed = Operations.of(PlainYaml.parse(list, "operations").value());
    }

    @Benchmark
    public Value applyOperations() throws OperationException {
        return parsed.applyTo(tree, RenderLimits.DEFAULT.budget());
    }

    @Benchmark
    public String parseApplyAndEmit() throws UnreadableTextException, OperationException {
        Value document = PlainYaml.parse(manifest, "manifest").value();
        Value result = Operations.of(PlainYaml.parse(list, "operations").value())
                .applyTo(document, RenderLimits.DEFAULT.budget());
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        YamlOutput.print(out, result);
        out.flush();
        return text.toString();
    }
}
