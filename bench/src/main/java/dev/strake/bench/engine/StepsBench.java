package dev.strake.bench.engine;

import dev.strake.bench.Figures;
import dev.strake.engine.document.Document;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.render.DataSchemas;
import dev.strake.engine.render.Renderer;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.workspace.Update;
import dev.strake.serdes.text.JsonValues;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * What a counted step of work is worth, where many documents are compared with many. A change may take 500,000,000 steps and has
 * to stay within a transaction of 60 s, so a step may be worth 120 ns.
 */
@Command(
        name = "steps",
        mixinStandardHelpOptions = true,
        description = {
            "Measures what a step of work is worth (strake.limits.change-effort), where many documents are compared with many.",
            "A step may take 120 ns. Few documents stay in the processor's cache, and say little."
        })
public final class StepsBench implements Callable<Integer> {

    private static final MapValue LAYERS = tree(
            "{'schema':'deckhand/LayeringPolicy/v1','metadata':{'schema':'metadata/Control/v1','name':'p'},'data':{'layerOrder':['u','l']}}");

    /** Labels of a document that is looked for by any two of them. */
    private static final int LABELS = 20;

    @Option(
            names = "--documents",
            paramLabel = "N",
            defaultValue = "30000",
            description = "Documents of each kind that are there. Default: ${DEFAULT-VALUE}")
    private int documents;

    @Option(
            names = "--changed",
            paramLabel = "N",
            defaultValue = "400",
            description = "Documents that come to them. Default: ${DEFAULT-VALUE}")
    private int changed;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "3",
            description = "The median counts. Default: ${DEFAULT-VALUE}")
    private int rounds;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            defaultValue = "bench/target/steps.json",
            description = "Where to write the figures. Default: ${DEFAULT-VALUE}")
    private Path json;

    private Figures figures;

    @Override
    public Integer call() throws Exception {
        figures = new Figures(
                "bench/run steps --documents %d --changed %d --rounds %d".formatted(documents, changed, rounds),
                System.out);
        List<MapValue> x = each(documents, i -> carrier(i, "'x':'1'"));
        List<MapValue> any = each(documents, i -> carrier(i, labels(i % 2 == 0 ? "x" : "y")));
        measure(
                "children whose selectors differ in a wanted null",
                x,
                changed,
                i -> child(i, "'x':'1','n" + i + "':null"));
        measure(
                "children that look for two labels in vain",
                any,
                changed,
                i -> child(i, "'x" + i % LABELS + "':'1','y" + i / LABELS % LABELS + "':'1'"));
        measure("children of one family with many parents", x, changed, i -> child(i, "'x':'1'"));
        measure(
                "parents for children whose selectors differ in a wanted null",
                each(documents / 10, i -> child(i, "'x':'1','n" + i + "':null")),
                changed,
                i -> carrier(i, "'x':'1'"));
        measure("collections that look for two labels in vain", any, changed, i -> collection(i, two(i)));
        measure("operations that look for two labels in vain", any, changed, i -> operations(i, two(i)));
        measure("operations on all", x, Math.max(1, changed / 20), i -> operations(i, "'x':'1'"));
        figures.write(json);
        return 0;
    }

    private void measure(String what, List<MapValue> before, int number, IntFunction<MapValue> change) {
        RenderLimits all = RenderLimits.DEFAULT;
        RenderLimits limits =
                new RenderLimits(all.bytes(), all.depth(), all.padding(), all.effort(), Long.MAX_VALUE / 2);
        List<MapValue> first = new ArrayList<>(List.of(LAYERS));
        first.addAll(before);
        HeapWorkspace workspace =
                new HeapWorkspace(HeapWorkspace.fresh(first), new Renderer(true, limits, new DataSchemas()));
        List<Double> worth = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            List<Document> documents = HeapWorkspace.fresh(each(number, change));
            long start = System.nanoTime();
            Update update = workspace.put(documents);
            worth.add((System.nanoTime() - start) / (double) update.work().effort());
        }
        worth.sort(null);
        figures.add(String.format(Locale.ROOT, "%,d %s", number, what), worth.get(rounds / 2), "ns/step");
    }

    private static String labels(String name) {
        return IntStream.range(0, LABELS)
                .mapToObj(i -> "'" + name + i + "':'1'")
                .collect(Collectors.joining(","));
    }

    /* One after another looks for something else, so nothing that was found serves the next one. */
    private static String two(int number) {
        return "'x" + number % LABELS + "':'1','y0':'1'";
    }

    private static MapValue carrier(int number, String labels) {
        return document("bench/A/v1", "u", "carrier" + number, "{" + labels + "}", "", "{}");
    }

    private static MapValue child(int number, String selector) {
        String place = ",'parentSelector':{" + selector + "},'actions':[{'method':'merge','path':'.'}]";
        return document("bench/A/v1", "l", "child" + number, "{}", place, "{}");
    }

    private static MapValue collection(int number, String labels) {
        String data = "{'schema':'bench/A/v1','labels':{" + labels + "},'into':{'schema':'bench/Made/v1','name':'m"
                + number + "'}}";
        return document("strake/Collection/v1", "u", "collection" + number, "{}", "", data);
    }

    private static MapValue operations(int number, String labels) {
        String data = "{'target':{'schema':'bench/A/v1','labels':{" + labels
                + "}},'operations':[{'type':'replace','path':'/a?','value':" + number + "}]}";
        return document("strake/Operations/v1", "u", "operations" + number, "{}", "", data);
    }

    private static MapValue document(
            String schema, String layer, String name, String labels, String place, String data) {
        return tree("{'schema':'" + schema + "','metadata':{'schema':'metadata/Document/v1','name':'" + name
                + "','storagePolicy':'cleartext','labels':" + labels + ",'layeringDefinition':{'layer':'" + layer + "'"
                + place + "}},'data':" + data + "}");
    }

    private static MapValue tree(String json) {
        return (MapValue) JsonValues.read(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    private static List<MapValue> each(int number, IntFunction<MapValue> document) {
        return IntStream.range(0, number).mapToObj(document).toList();
    }
}
