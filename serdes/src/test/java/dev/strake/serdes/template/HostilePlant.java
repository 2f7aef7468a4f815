package dev.strake.serdes.template;

import dev.strake.engine.template.source.SourceFile;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.StringJoiner;

/** A small sound tree of templates into which something is planted that wants to cost more than it is worth. */
final class HostilePlant {

    /** What is planted, and the codes of the faults that it may end with; none means that it may end without one. */
    enum Kind {
        NESTS_ITSELF("nesting-depth", "limit-exceeded"),
        WIDE_AT_EVERY_LEVEL("limit-exceeded", "nesting-depth"),
        HUGE_REPEAT("limit-exceeded"),
        REPEATED_REPEAT("limit-exceeded"),
        TOWER_OF_REPLACEMENTS("limit-exceeded"),
        GROWING_PARAMETER("limit-exceeded"),
        DEEP_CALLS("template-parse"),
        BOMB_OF_ALIASES("template-parse"),
        HUGE_GROUP("none", "property-value"),
        LONG_CHAIN("limit-exceeded"),
        YAQL_BOMB("none", "limit-exceeded", "function-arguments"),
        LOOP_OF_MAPPINGS("registry-loop"),
        CHAIN_OF_MAPPINGS("registry-loop"),
        CHAIN_OF_CONDITIONS("none", "condition"),
        PATTERN_BOMB("none", "parameter-schema", "parameter-default"),
        MANY_PLACEHOLDERS("none", "limit-exceeded"),
        LONG_PATH("none");

        private final String codes;

        Kind(String... codes) {
            this.codes = String.join(" ", codes);
        }

        Set<String> codes() {
            return Set.of(codes.split(" ", -1));
        }
    }

    static final String TOP = "top.yaml";
    static final String ENVIRONMENT = "env.yaml";

    private static final String HEAD = "heat_template_version: 2018-08-31\n";

    private final Random random;
    private final Map<String, SourceFile> files = new HashMap<>();
    private final StringJoiner registry = new StringJoiner("\n");
    private String parameters = "";
    private String conditions = "";
    private String resources = "";

    /** @param level how many levels below the top it is planted: 0 to 2 */
    HostilePlant(Kind kind, int level, long seed) {
        random = new Random(seed);
        plant(kind, "level" + level + ".yaml");
        for (int i = 0; i < 3; i++) {
            boolean here = i == level;
            String next = i == 2 ? "" : "  next: {type: level" + (i + 1) + ".yaml, properties: {p: {get_param: p}}}\n";
            put(
                    i == 0 ? TOP : "level" + i + ".yaml",
                    HEAD + "parameters:\n  p: {type: string, default: a}\n"
                            + (here ? parameters : "")
                            + (here && !conditions.isEmpty() ? "conditions:\n" + conditions : "")
                            + "resources:\n  plain: {type: 'OS::Heat::Value', properties: {value: v}}\n"
                            + (here ? resources : "")
                            + next);
        }
        put("level0.yaml", files.get(TOP).text());
        put("child.yaml", HEAD + "parameters: {p: {type: json, default: {}}, q: {type: string, default: ''}}\n");
        put(ENVIRONMENT, registry.length() == 0 ? "{}\n" : "resource_registry:\n" + registry + "\n");
    }

    SourceFile get(String name) {
        return files.get(name);
    }

    private void put(String name, String text) {
        files.put(name, new TextSource(name, text));
    }

    private int from(int least, int most) {
        return least + random.nextInt(most - least + 1);
    }

    private void child(String property, String value) {
        resources = "  hostile:\n    type: child.yaml\n    properties:\n      " + property + ": " + value + "\n";
    }

    private void plant(Kind kind, String self) {
        switch (kind) {
            case NESTS_ITSELF -> many(from(1, 900), self);
            case WIDE_AT_EVERY_LEVEL -> {
                many(from(600, 900), "wide.yaml");
                String mine = resources;
                many(from(600, 900), "child.yaml");
                put("wide.yaml", HEAD + "resources:\n" + resources);
                resources = mine;
            }
            case HUGE_REPEAT -> child("p", repeat("'%0%'", from(7, 40), from(10, 40)));
            case REPEATED_REPEAT -> {
                String value = "'%0%'";
                for (int i = 0; i < 3; i++) {
                    value = repeat(value, 3, 18 + random.nextInt(5));
                }
                child("p", value);
            }
            case TOWER_OF_REPLACEMENTS -> {
                String value = "A";
                for (int i = from(8, 14); i > 0; i--) {
                    value = "{str_replace: {template: " + value + ", params: {A: AAAAAAAAAA}}}";
                }
                child("q", value);
            }
            case GROWING_PARAMETER -> {
                parameters = "  long: {type: string, default: " + "x".repeat(from(1, 50_000)) + "}\n";
                String value = "{get_param: long}";
                for (int i = 0; i < 9; i++) {
                    value = "{str_replace: {template: 'aaaaaaaaaa', params: {a: " + value + "}}}";
                }
                child("q", value);
            }
            case DEEP_CALLS -> {
                int depth = from(70, 3_000);
                child("q", "{list_join: ['', [".repeat(depth) + "x" + "]]}".repeat(depth));
            }
            case BOMB_OF_ALIASES -> {
                StringBuilder text = new StringBuilder("  a0: &a0 {type: json, default: [x, x, x, x]}\n");
                for (int i = 1; i < from(22, 60); i++) {
                    text.append("  a%d: &a%d {type: json, default: [*a%d, *a%d]}\n".formatted(i, i, i - 1, i - 1));
                }
                parameters = text.toString();
            }
            case HUGE_GROUP ->
                resources = "  hostile:\n    type: OS::Heat::ResourceGroup\n    properties:\n      count: "
                        + (random.nextBoolean() ? "9".repeat(from(1, 300)) : "1e" + "9".repeat(from(1, 30)))
                        + "\n      removal_policies: [{resource_list: ["
                        + "'0', ".repeat(from(1, 30_000)) + "'1']}]\n      resource_def: {type: child.yaml}\n";
            case LONG_CHAIN ->
                resources = "  hostile:\n    type: OS::Heat::ResourceChain\n    properties:\n      resources: ["
                        + "child.yaml, ".repeat(from(10_000, 30_000)) + "child.yaml]\n";
            case YAQL_BOMB -> child("q", "{yaql: {expression: \"" + yaql() + "\", data: {get_param: p}}}");
            case LOOP_OF_MAPPINGS -> {
                mappings(from(1, 90), true);
                resources = "  hostile: {type: 'x0::T'}\n";
            }
            case CHAIN_OF_MAPPINGS -> {
                mappings(from(200, 5_000), false);
                resources = "  hostile: {type: 'x0::T'}\n";
            }
            case CHAIN_OF_CONDITIONS -> {
                int length = from(2, 3_000);
                StringBuilder text = new StringBuilder("  c0: true\n");
                for (int i = 1; i <= length; i++) {
                    text.append("  c%d: {and: [c%d, c%d]}\n".formatted(i, i - 1, i - 1));
                }
                conditions = text.toString();
                resources = "  hostile: {type: 'OS::Heat::None', condition: c" + length + "}\n";
            }
            case PATTERN_BOMB ->
                parameters = "  hostile:\n    type: string\n    default: " + "a".repeat(from(10, 50_000))
                        + "b\n    constraints: [{allowed_pattern: '"
                        + (random.nextBoolean() ? "(a+)+(a|aa)+" : "(((a{1,100}){1,100}){1,100}){1,100}") + "'}]\n";
            case MANY_PLACEHOLDERS -> {
                StringJoiner template = new StringJoiner(" ");
                StringJoiner params = new StringJoiner(", ", "{", "}");
                for (int i = from(100, 15_000); i > 0; i--) {
                    template.add("k" + i);
                    params.add("k" + i + ": v");
                }
                child("q", "{str_replace: {template: '" + template + "', params: " + params + "}}");
            }
            default -> child("q", "{get_param: [p" + ", 0".repeat(from(10, 100_000)) + "]}");
        }
    }

    private void many(int count, String file) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append("  r").append(i).append(": {type: ").append(file).append("}\n");
        }
        resources = text.toString();
    }

    private String repeat(String template, int lists, int items) {
        StringJoiner each = new StringJoiner(", ", "{", "}");
        for (int i = 0; i < lists; i++) {
            each.add("'%" + i + "%': [" + "a, ".repeat(items) + "b]");
        }
        return "{repeat: {template: " + template + ", for_each: " + each + "}}";
    }

    private String yaql() {
        int times = from(40, 80);
        return switch (random.nextInt(4)) {
            case 0 -> "[1, 2, 3].selectMany([$, $, $, $])" + ".selectMany([$, $, $, $])".repeat(times);
            case 1 -> "let([$.data, $.data]) -> " + "let([$, $]) -> ".repeat(times) + "$.flatten().join(x)";
            case 2 -> "(".repeat(times * 100) + "1" + ")".repeat(times * 100);
            default -> "[$.data]" + ".select([$, $, $])".repeat(times) + ".flatten().len()";
        };
    }

    /* Chains longer than any that means something are taken for endless ones. */
    private void mappings(int length, boolean closed) {
        for (int i = 0; i < length; i++) {
            boolean wild = random.nextInt(4) == 0;
            String target = "x" + (closed && i == length - 1 ? 0 : i + 1) + "::";
            registry.add("  '" + "x" + i + "::" + (wild ? "*" : "T") + "': '" + target + (wild ? "*" : "T") + "'");
        }
    }
}
