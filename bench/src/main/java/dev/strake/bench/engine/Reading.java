package dev.strake.bench.engine;

import dev.strake.bench.DocumentSets;
import dev.strake.cli.output.YamlOutput;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.text.DocumentReader;
import dev.strake.serdes.text.JsonValues;
import dev.strake.serdes.text.Limits;
import dev.strake.serdes.text.ReadDocument;
import dev.strake.serdes.text.TextFormat;
import dev.strake.serdes.text.UnreadableTextException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** A document of 2 KB between text and tree. */
@State(Scope.Thread)
public class Reading {

    private final MapValue tree = DocumentSets.ofSize(7, 100).leaf(1, 0);
    private final byte[] json = JsonBytes.of(tree);
    private final byte[] yaml = yaml(tree);
    private final DocumentReader reader = new DocumentReader(Limits.DEFAULT);

    private static byte[] yaml(MapValue tree) {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        YamlOutput.print(out, tree);
        out.flush();
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Benchmark
    public List<ReadDocument> readYaml() throws UnreadableTextException {
        return reader.readDocuments(yaml, TextFormat.YAML, "bench");
    }

    @Benchmark
    public List<ReadDocument> readJson() throws UnreadableTextException {
        return reader.readDocuments(json, TextFormat.JSON, "bench");
    }

    /** As from a store: what was checked when it came in is not checked again. */
    @Benchmark
    public Object readStoredJson() {
        return JsonValues.read(json);
    }

    @Benchmark
    public byte[] writeJson() {
        return JsonBytes.of(tree);
    }
}
