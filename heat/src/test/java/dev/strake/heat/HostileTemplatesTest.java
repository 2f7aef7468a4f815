package dev.strake.heat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.heat.template.TemplateRequest.Mode;
import dev.strake.heat.template.TemplateValidator;
import dev.strake.heat.template.TreeLimits;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Templates that are built to be expensive end in a fault, in both modes. */
class HostileTemplatesTest {

    private static final String HEAD = "heat_template_version: 2018-08-31\n";

    @ParameterizedTest
    @EnumSource(Mode.class)
    void shouldRejectAHugeRepeat(Mode mode) {
        StringBuilder lists = new StringBuilder();
        for (int i = 0; i < 12; i++) {
            lists.append("          '%").append(i).append("%': [a, b, c, d, e, f, g, h, i, j]\n");
        }
        String template = HEAD + "resources:\n  r:\n    type: child.yaml\n    properties:\n      p:\n        repeat:\n"
                + "          template: '%0%'\n          for_each:\n"
                + lists.toString().indent(2);
        assertThat(codes(
                        template,
                        Map.of("child.yaml", HEAD + "parameters: {p: {type: json}}\n"),
                        TreeLimits.DEFAULT,
                        mode))
                .containsExactly("limit-exceeded");
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void shouldRejectTextsThatGrowExponentially(Mode mode) {
        String value = "A";
        for (int i = 0; i < 8; i++) {
            value = "{str_replace: {template: " + value + ", params: {A: AAAAAAAAAA}}}";
        }
        String template = HEAD + "resources:\n  r:\n    type: child.yaml\n    properties:\n      p: " + value + "\n";
        assertThat(codes(
                        template,
                        Map.of("child.yaml", HEAD + "parameters: {p: {type: string}}\n"),
                        TreeLimits.DEFAULT,
                        mode))
                .containsExactly("limit-exceeded");
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void shouldRejectDeeplyNestedCalls(Mode mode) {
        String template = HEAD + "outputs:\n  o:\n    value: " + "{list_join: ['', [".repeat(1_000) + "x"
                + "]]}".repeat(1_000) + "\n";
        assertThat(codes(template, Map.of(), TreeLimits.DEFAULT, mode)).containsExactly("template-parse");
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void shouldRejectABombOfAliases(Mode mode) {
        StringBuilder template =
                new StringBuilder(HEAD + "parameters:\n  a0: &a0 {type: json, default: [x, x, x, x]}\n");
        for (int i = 1; i < 30; i++) {
            template.append("  a")
                    .append(i)
                    .append(": &a")
                    .append(i)
                    .append(" {type: json, default: [*a")
                    .append(i - 1)
                    .append(", *a")
                    .append(i - 1)
                    .append("]}\n");
        }
        assertThat(codes(template.toString(), Map.of(), TreeLimits.DEFAULT, mode))
                .containsExactly("template-parse");
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void shouldNotFollowCyclicMappings(Mode mode) {
        MapValue request = MapValue.builder()
                .put("template", new Text(HEAD + "resources: {r: {type: 'a::B'}}\n"))
                .put("environment", new Text("resource_registry: {'a::B': 'c::D', 'c::D': 'a::B'}\n"))
                .build();
        assertThat(codes(request, TreeLimits.DEFAULT, mode)).containsExactly("registry-loop");
    }

    @Test
    void shouldCountTheWorkOfDoublingConditions() {
        StringBuilder template = new StringBuilder(HEAD + "conditions:\n  c0: true\n");
        for (int i = 1; i < 300; i++) {
            template.append("  c")
                    .append(i)
                    .append(": {and: [c")
                    .append(i - 1)
                    .append(", c")
                    .append(i - 1)
                    .append("]}\n");
        }
        template.append("resources:\n  r: {type: 'OS::Heat::None', condition: c299}\n");
        assertThat(codes(template.toString(), Map.of(), TreeLimits.DEFAULT, Mode.DEEP))
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void shouldRunPatternsThatBacktrackWithoutEndInLinearTime(Mode mode) {
        String template = HEAD + "parameters:\n  p:\n    type: string\n    default: " + "a".repeat(50_000) + "b\n"
                + "    constraints: [{allowed_pattern: '(a+)+(a|aa)+$'}]\n";
        assertThat(codes(template, Map.of(), TreeLimits.DEFAULT, mode)).containsExactly("parameter-default");
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void shouldRejectAPatternThatExpandsTooFar(Mode mode) {
        String template = HEAD + "parameters:\n  p:\n    type: string\n    default: a\n"
                + "    constraints: [{allowed_pattern: '((((a{1,100}){1,100}){1,100}){1,100}){1,100}'}]\n";
        assertThat(codes(template, Map.of(), TreeLimits.DEFAULT, mode)).containsExactly("parameter-schema");
    }

    @Test
    void shouldCountTheWorkOfLongPatternsAndLists() {
        StringBuilder template = new StringBuilder(HEAD + "parameters:\n");
        String list = "[" + "a, ".repeat(4_000) + "a]";
        for (int i = 0; i < 20; i++) {
            template.append("  p")
                    .append(i)
                    .append(": {type: comma_delimited_list, default: ")
                    .append(list);
            template.append(", constraints: [{allowed_values: ")
                    .append(list.replace('a', 'b'))
                    .append("}]}\n");
        }
        TreeLimits little = new TreeLimits(5, 1000, 20_000, 500_000, 50_000);
        assertThat(codes(template.toString(), Map.of(), little, Mode.DEEP)).endsWith("limit-exceeded");
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void shouldRejectATooLongChain(Mode mode) {
        String template =
                HEAD + "resources:\n  r:\n    type: OS::Heat::ResourceChain\n    properties:\n      resources: ["
                        + "x.yaml, ".repeat(20_000) + "x.yaml]\n";
        assertThat(codes(template, Map.of("x.yaml", HEAD), TreeLimits.DEFAULT, mode))
                .contains("limit-exceeded");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "let($.data) -> DOUBLED",
                "let(x => $.data) -> SQUARED",
                "'FORMAT'.format($.data)",
                "range",
                "((((PARENTHESES))))"
            })
    void shouldStopExpressionsThatGrowEndlessly(String pattern) {
        String doubled = "concat($, $)";
        String format = "{0}".repeat(2_000);
        String expression = pattern.replace("DOUBLED", ("let(" + doubled + ") -> ").repeat(60) + "$")
                .replace("SQUARED", "[$x, $x]" + ".select([$, $, $])".repeat(60))
                .replace("FORMAT", format)
                .replace("range", "[1, 2, 3, 4, 5, 6, 7, 8]" + ".selectMany([$, $, $, $, $, $, $, $])".repeat(60))
                .replace("PARENTHESES", "(".repeat(4_000) + "1" + ")".repeat(4_000));
        String template = HEAD + "parameters: {p: {type: string, default: '" + "x".repeat(20_000)
                + "'}}\nresources:\n  r:\n    type: child.yaml\n" + "    properties: {p: {yaql: {expression: \""
                + expression + "\", data: {get_param: p}}}}\n";
        assertThat(codes(
                        template,
                        Map.of("child.yaml", HEAD + "parameters: {p: {type: string}}\n"),
                        TreeLimits.DEFAULT,
                        Mode.DEEP))
                // the first template fails earlier, because a text has no items to concatenate
                .isSubsetOf("function-arguments", "limit-exceeded");
    }

    @Test
    void shouldRejectATooLongTemplate() {
        assertThat(codes(HEAD + "# " + "x".repeat(600_000), Map.of(), TreeLimits.DEFAULT, Mode.DEEP))
                .containsExactly("limit-exceeded");
    }

    private static List<String> codes(String template, Map<String, String> files, TreeLimits limits, Mode mode) {
        MapValue.Builder contents = MapValue.builder();
        files.forEach((name, text) -> contents.put(name, new Text(text)));
        return codes(
                MapValue.builder()
                        .put("template", new Text(template))
                        .put("files", contents.build())
                        .put("show_nested", Bool.TRUE)
                        .build(),
                limits,
                mode);
    }

    private static List<String> codes(MapValue request, TreeLimits limits, Mode mode) {
        TemplateRequestJson json = TemplateRequestJson.read(request, mode, limits);
        Value errors =
                json.write(TemplateValidator.validate(json.request()), false).get("errors");
        return ((ListValue) errors)
                .items().stream()
                        .map(error -> ((Text) ((MapValue) error).get("code")).value())
                        .distinct()
                        .toList();
    }
}
