package dev.strake.bench;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.template.TextSource;
import dev.strake.serdes.text.JsonValues;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPInputStream;

/**
 * A workspace that keeps a cloud valid: its templates, environments and files, and the stack. The cloud is a recorded TripleO
 * overcloud (192 files, 394 stacks, 5,335 parameters); without the corpus it is a made-up tree of 201 templates with 5,001
 * parameters.
 */
public final class Cloud {

    private static final Path RECORDED = Path.of(System.getProperty("strake.corpus", "../shared/corpus"))
            .resolve("heat-real/thr-overcloud-tls-isolated.json.gz");
    private static final String TEMPLATE = "heat/Template/v1";
    private static final String TOP = "top.yaml";

    private final Map<String, MapValue> templates = new LinkedHashMap<>();
    private final List<MapValue> documents = new ArrayList<>();

    /** @param mode of the stack: deep or as-heat */
    public Cloud(String mode) {
        documents.add((MapValue) JsonValues.read("""
                {"schema": "deckhand/LayeringPolicy/v1", "metadata": {"schema": "metadata/Control/v1", "name": "policy"},
                 "data": {"layerOrder": ["site"]}}
                """.getBytes(StandardCharsets.UTF_8)));
        Value environments = ListValue.of();
        if (Files.exists(RECORDED)) {
            MapValue request = request();
            environments = request.get("environment_files");
            Set<String> names = Set.copyOf(
                    ((ListValue) environments).items().stream().map(Cloud::text).toList());
            add(TOP, text(request.get("template")), names);
            ((MapValue) request.get("files")).forEach((name, content) -> add(name, text(content), names));
        } else {
            madeUp(200).forEach((name, content) -> add(name, content, Set.of()));
        }
        MapValue stack = MapValue.builder()
                .put("template", new Text(TOP))
                .put("environments", environments)
                .put("mode", new Text(mode))
                .put("max_nested_depth", Num.of(7))
                .build();
        documents.add(document("heat/Stack/v1", "cloud", stack));
    }

    /** All documents, as published. */
    public List<MapValue> documents() {
        return documents;
    }

    /** The names of the templates. */
    public Set<String> templates() {
        return templates.keySet();
    }

    /** A template with another description. It changes the schema of each stack that it makes, and no parameter. */
    public MapValue edited(String template, int number) {
        return document(TEMPLATE, template, templates.get(template).with("description", new Text("edit " + number)));
    }

    private void add(String name, String content, Set<String> environments) {
        if (environments.contains(name)) {
            documents.add(document("heat/Environment/v1", name, new TextSource(name, content).tree()));
        } else if (name.endsWith(".yaml") && content.contains("heat_template_version")) {
            MapValue template = (MapValue) new TextSource(name, content).tree();
            templates.put(name, template);
            documents.add(document(TEMPLATE, name, template));
        } else {
            documents.add(document("heat/File/v1", name, new Text(content)));
        }
    }

    private static MapValue document(String schema, String name, Value data) {
        MapValue metadata = MapValue.builder()
                .put("schema", new Text("metadata/Document/v1"))
                .put("name", new Text(name))
                .put("storagePolicy", new Text("cleartext"))
                .put("layeringDefinition", MapValue.of("layer", new Text("site")))
                .build();
        return MapValue.builder()
                .put("schema", new Text(schema))
                .put("metadata", metadata)
                .put("data", data)
                .build();
    }

    private static MapValue request() {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(RECORDED))) {
            return (MapValue) ((MapValue) JsonValues.read(in.readAllBytes())).get("request");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Value value) {
        return ((Text) value).value();
    }

    /**
     * A tree of templates of 10 KB each, with 25 parameters and a small nested template of its own.
     *
     * @return their texts by name; the one at the top is {@code top.yaml}
     */
    public static Map<String, String> madeUp(int templates) {
        StringBuilder top =
                new StringBuilder("heat_template_version: rocky\nparameters:\n  p0: {type: string}\nresources:\n");
        Map<String, String> texts = new LinkedHashMap<>();
        for (int i = 0; i < templates / 2; i++) {
            top.append("  r")
                    .append(i)
                    .append(":\n    type: outer")
                    .append(i)
                    .append(".yaml\n    properties: {p0: {get_param: p0}}\n");
            texts.put("outer" + i + ".yaml", outer(i));
            texts.put("inner" + i + ".yaml", inner());
        }
        texts.put(TOP, top.toString());
        return texts;
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
}
