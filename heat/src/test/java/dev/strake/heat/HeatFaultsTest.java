package dev.strake.heat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.heat.source.SourceFile;
import dev.strake.heat.template.TemplateRequest.Mode;
import dev.strake.heat.template.TemplateValidator;
import dev.strake.heat.template.TreeLimits;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every fault of {@code faults.yaml} at every level, in both modes. */
class HeatFaultsTest {

    private static final List<String> FILES = List.of("template", "level-one.yaml", "level-two.yaml");

    @TestFactory
    Stream<DynamicTest> shouldFindEachFaultWhereHeatDoes() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (Value each : table().items()) {
            MapValue fault = (MapValue) each;
            int levels = fault.get("levels") instanceof Num num ? num.nearestInt() : 3;
            for (int level = 0; level < levels; level++) {
                for (Mode mode : Mode.values()) {
                    int at = level;
                    tests.add(DynamicTest.dynamicTest(
                            text(fault, "fault") + " at " + level + ", " + mode, () -> assertFound(fault, at, mode)));
                }
            }
        }
        return tests.stream();
    }

    private static ListValue table() throws IOException {
        try (InputStream in = HeatFaultsTest.class.getResourceAsStream("/heat/faults.yaml")) {
            String table = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return (ListValue) new SourceFile("faults.yaml", table).tree();
        }
    }

    private static void assertFound(MapValue fault, int level, Mode mode) {
        TemplateRequestJson json = TemplateRequestJson.read(request(fault, level), mode, TreeLimits.DEFAULT);
        MapValue answer = json.write(TemplateValidator.validate(json.request()), true);
        String wanted = wanted(fault, level, mode);
        assertThat(((ListValue) answer.get("errors"))
                        .items().stream()
                                .map(error -> text((MapValue) error, "code"))
                                .distinct())
                .as(JsonBytes.text(answer))
                .isEqualTo(wanted.equals(".") ? List.of() : List.of(wanted));
    }

    private static String wanted(MapValue fault, int level, Mode mode) {
        Value wanted = fault.get(mode == Mode.DEEP && fault.has("deep") ? "deep" : "as-heat");
        return ((Text) (wanted instanceof ListValue list ? list.get(level) : wanted)).value();
    }

    private static MapValue request(MapValue fault, int level) {
        String version = fault.has("version") ? text(fault, "version") : "2018-08-31";
        List<MapValue> templates = new ArrayList<>();
        for (int i = 0; i < FILES.size(); i++) {
            MapValue template = template(i, version);
            template = i == level ? faulty(template, fault) : template;
            template = i == 0 && fault.has("top") ? merged(template, map(fault, "top")) : template;
            templates.add(i == 2 && fault.has("below") ? merged(template, map(fault, "below")) : template);
        }
        List<String> texts =
                new ArrayList<>(templates.stream().map(JsonBytes::text).toList());
        if (fault.has("text")) {
            texts.set(level, text(fault, "text"));
        }
        MapValue.Builder files = MapValue.builder();
        for (int i = 1; i < FILES.size(); i++) {
            files.put(FILES.get(i), new Text(texts.get(i)));
        }
        map(fault, "files").forEach((name, content) -> files.put(name, new Text(JsonBytes.text(content))));
        MapValue.Builder request =
                MapValue.builder().put("template", new Text(texts.get(0))).put("show_nested", Bool.TRUE);
        MapValue registry = MapValue.builder()
                .put("one::Level", new Text(FILES.get(1)))
                .put("two::Level", new Text(FILES.get(2)))
                .build()
                .updatedWith(map(fault, "registry"));
        MapValue base = MapValue.of("resource_registry", registry);
        if (fault.get("environments") instanceof ListValue list) {
            List<Value> names = new ArrayList<>(List.of(new Text("base.yaml")));
            files.put("base.yaml", new Text(JsonBytes.text(base)));
            for (Value environment : list.items()) {
                String name = "e" + names.size() + ".yaml";
                names.add(new Text(name));
                files.put(name, new Text(JsonBytes.text(environment)));
            }
            request.put("environment_files", ListValue.of(names));
        } else if (fault.has("environment-text")) {
            request.put("environment", fault.get("environment-text"));
        } else {
            request.put("environment", new Text(JsonBytes.text(merged(base, map(fault, "environment")))));
        }
        map(fault, "request").forEach(request::put);
        return request.put("files", files.build()).build();
    }

    private static MapValue template(int level, String version) {
        String nested =
                "next: {type: '" + (level == 0 ? "one" : "two") + "::Level', properties: {txt: {get_param: txt}}}";
        return (MapValue)
                new SourceFile("template", """
                        heat_template_version: '%s'
                        description: level %d
                        parameters: {txt: {type: string, default: t%d}}
                        resources:
                          val: {type: 'OS::Heat::Value', properties: {value: v}}
                          %s
                        """.formatted(version, level, level, level == 2 ? "" : nested)).tree();
    }

    private static MapValue faulty(MapValue template, MapValue fault) {
        MapValue.Builder changes = MapValue.builder();
        if (fault.has("parameter")) {
            changes.put("parameters", MapValue.of("subject", fault.get("parameter")));
        }
        MapValue.Builder resources = MapValue.builder();
        if (fault.has("resource")) {
            resources.put("subject_r", fault.get("resource"));
        }
        for (int i = 0; fault.get("many") instanceof Num many && i < many.nearestInt(); i++) {
            resources.put("bulk" + i, MapValue.of("type", new Text("OS::Heat::None")));
        }
        return merged(
                merged(template, changes.put("resources", resources.build()).build()), map(fault, "set"));
    }

    /* Merges maps at every depth; a null removes the version of a template. */
    private static MapValue merged(MapValue one, MapValue other) {
        MapValue.Builder merged = MapValue.builder();
        one.forEach(merged::put);
        other.forEach((key, value) -> merged.put(
                key, one.get(key) instanceof MapValue a && value instanceof MapValue b ? merged(a, b) : value));
        MapValue result = merged.build();
        return result.get("heat_template_version") instanceof Null ? result.without("heat_template_version") : result;
    }

    private static MapValue map(MapValue fault, String key) {
        return fault.get(key) instanceof MapValue map ? map : MapValue.EMPTY;
    }

    private static String text(MapValue map, String key) {
        return ((Text) map.get(key)).value();
    }
}
