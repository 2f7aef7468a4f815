package dev.strake.testing;

import static java.util.stream.Collectors.joining;

import dev.strake.engine.Json;
import dev.strake.engine.tree.Text;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;

/**
 * Documents with a secret in each possible place. The seed determines their values and types. The site uses every
 * feature that derives values from secrets: layering, replacement, substitution with patterns, operations,
 * collections, stacks.
 */
public final class SecretSite {

    private static final String MERGE = "actions: [{method: merge, path: .}]";

    private final Planted planted;
    private final Random random;

    public SecretSite(long seed, Planted planted) {
        this.random = new Random(seed);
        this.planted = planted;
    }

    /** Returns documents that all render. Each call puts new secrets in the same places. */
    public String documents() {
        List<String> all = new ArrayList<>();
        all.add("""
                schema: deckhand/LayeringPolicy/v1
                metadata: {schema: metadata/Control/v1, name: policy}
                data: {layerOrder: [global, site]}
                """);
        all.add(document("a/Base/v1", "base", "encrypted", "labels: {is: base}", "layer: global", map("base")));
        all.add(document("a/Base/v1", "child", "cleartext", "labels: {is: child}", child("base", MERGE), "{own: 1}"));
        all.add(document("a/Base/v1", "deleting", "cleartext", "labels: {}", child("base", deleting()), "{own: 1}"));
        all.add(document(
                "a/Base/v1",
                "abstract",
                "encrypted",
                "labels: {is: abstract}",
                "layer: global, abstract: true",
                map("abstract")));
        all.add(document("a/Base/v1", "concrete", "cleartext", "labels: {}", child("abstract", MERGE), "{own: 1}"));
        all.add(document(
                "a/Base/v1", "replaced", "encrypted", "labels: {is: replaced}", "layer: global", map("replaced")));
        all.add(document(
                "a/Base/v1", "replaced", "cleartext", "replacement: true", child("replaced", MERGE), "{own: 1}"));
        all.add(document(
                "deckhand/Passphrase/v1", "password", "encrypted", "labels: {}", "layer: global", text("passphrase")));
        all.add(document("a/Leaf/v1", "leaf", "encrypted", "labels: {}", "layer: global", leaf("leaf data")));
        all.add(reader("reader", """
                - {src: {schema: deckhand/Passphrase/v1, name: password, path: .}, dest: [{path: .p}, {path: .url, pattern: PASS}, {path: '.list[0]'}]}
                - {src: {schema: a/Base/v1, name: base, path: .text, pattern: '.{9}'}, dest: {path: .picked}}
                - {src: {schema: a/Base/v1, name: base, path: .text, pattern: '(.{4})(.{9})', match_group: 2}, dest: {path: .text, pattern: PASS}}
                - {src: {schema: a/Base/v1, name: base, path: .map}, dest: {path: .whole}}
                - {src: {schema: deckhand/Passphrase/v1, name: password, path: .}, dest: {path: .deep, pattern: PASS, recurse: {depth: -1}}}
                """));
        all.add(reader("second", "- {src: {schema: a/Reader/v1, name: reader, path: .url}, dest: {path: .again}}\n"));
        all.add(document(
                "strake/Operations/v1", "secret-operations", "encrypted", "labels: {}", "layer: site", """
                {target: {schema: a/Target/v1, name: target}, operations: [{type: replace, path: '/given?', value: %s}]}""".formatted(
                                map("value of an operation"))));
        all.add(document("a/Target/v1", "target", "cleartext", "labels: {}", "layer: site", "{own: 1}"));
        all.add(
                document(
                        "strake/Operations/v1",
                        "clear-operations",
                        "cleartext",
                        "labels: {}",
                        "layer: site",
                        "{target: {schema: a/Base/v1, name: concrete}, operations: [{type: replace, path: '/added?', value: 1}]}"));
        for (String as : List.of("list", "map")) {
            all.add(document(
                    "strake/Collection/v1",
                    "all-" + as,
                    "cleartext",
                    "labels: {}",
                    "layer: site",
                    "{schema: a/Base/v1, as: %s, into: {schema: a/All/v1, name: %s}}".formatted(as, as)));
        }
        all.addAll(stack(
                "template",
                "cleartext",
                "encrypted",
                text("default of a parameter"),
                text("parameter of an environment")));
        return String.join("---\n", all);
    }

    /* The documents of a stack, with secrets in its defaults and its environment. */
    private List<String> stack(String name, String template, String environment, String defaultValue, String given) {
        return List.of(
                document(
                        "heat/Template/v1",
                        name + ".yaml",
                        "encrypted".equals(environment) ? "encrypted" : template,
                        "labels: {}",
                        "layer: site",
                        """
                        {heat_template_version: rocky, description: %s,
                         parameters: {shown: {type: string, default: %s}, hidden: {type: string, hidden: true, default: %s}, given: {type: string}}}""".formatted(
                                        text("description of a template"),
                                        defaultValue,
                                        text("default of a hidden parameter"))),
                document(
                        "heat/Environment/v1",
                        name + "-env",
                        environment,
                        "labels: {}",
                        "layer: site",
                        "{parameters: {given: %s}}".formatted(given)),
                document(
                        "heat/Stack/v1",
                        name,
                        "cleartext",
                        "labels: {}",
                        "layer: site",
                        "{template: %s.yaml, environments: [%s-env]}".formatted(name, name)));
    }

    /** Returns readable sites with one mistake each next to a secret, keyed by the mistake. */
    public Map<String, String> troubled() {
        Map<String, String> all = new LinkedHashMap<>();
        for (String rule : List.of(
                "type: object",
                "type: integer",
                "enum: [other]",
                "not: {type: string}",
                "pattern: '^x$'",
                "maxLength: 3",
                "minLength: 999",
                "format: ipv4",
                "anyOf: [{type: integer}, {enum: [x]}]",
                "oneOf: [{}, {}]")) {
            all.put(
                    "data schema, " + rule,
                    checked(
                            "cleartext",
                            "{type: object, properties: {x: {" + rule + "}}}",
                            "{x: " + text("data beside " + rule) + "}"));
            all.put(
                    "items, " + rule,
                    checked(
                            "cleartext",
                            "{properties: {x: {items: {" + rule + "}}}}",
                            "{x: [" + text("item beside " + rule) + "]}"));
        }
        for (String rule :
                List.of("enum: [%s]", "pattern: %s", "const: %s", "not: {enum: [x, %s]}", "required: [%s]")) {
            all.put(
                    "secret rule, " + rule,
                    checked(
                            "encrypted",
                            "{properties: {x: {" + rule.formatted(text("rule " + rule)) + "}}}",
                            "{x: x}"));
        }
        all.put("unique items", checked("cleartext", "{properties: {x: {uniqueItems: true}}}", repeated()));
        all.put(
                "text that is none",
                document(
                        "deckhand/Passphrase/v1",
                        "p",
                        "encrypted",
                        "labels: {}",
                        "layer: site",
                        map("passphrase that is a map")));
        all.put(
                "path through text",
                reader(
                        "r",
                        "- {src: {schema: deckhand/Passphrase/v1, name: password, path: .a.b}, dest: {path: .p}}\n"));
        all.put(
                "path that is not there",
                reader("r", "- {src: {schema: a/Base/v1, name: base, path: .nope}, dest: {path: .p}}\n"));
        all.put("destination through a secret", reader("r", """
                - {src: {schema: deckhand/Passphrase/v1, name: password, path: .}, dest: {path: .p}}
                - {src: {schema: deckhand/Passphrase/v1, name: password, path: .}, dest: {path: .p.q}}
                """));
        all.put(
                "pattern that does not match",
                reader(
                        "r",
                        "- {src: {schema: a/Base/v1, name: base, path: .text, pattern: ZZZ}, dest: {path: .p, pattern: ZZZ}}\n"));
        all.put(
                "pattern on a map",
                reader("r", "- {src: {schema: a/Base/v1, name: base, path: .map, pattern: x}, dest: {path: .p}}\n"));
        all.put(
                "group that is not there",
                reader(
                        "r",
                        "- {src: {schema: a/Base/v1, name: base, path: .text, pattern: x, match_group: 9}, dest: {path: .p}}\n"));
        all.put(
                "huge index",
                reader(
                        "r",
                        "- {src: {schema: deckhand/Passphrase/v1, name: password, path: .}, dest: {path: '.p[99999999]'}}\n"));
        all.put(
                "action without a target",
                document(
                        "a/Base/v1",
                        "c",
                        "encrypted",
                        "labels: {}",
                        child("base", "actions: [{method: replace, path: .nope.no}]"),
                        map("child of an action that fails")));
        for (Supplier<String> path : List.<Supplier<String>>of(
                () -> "/" + planted.word("path of a secret operation"),
                () -> "/list/name=" + planted.word("name in the path of a secret operation"),
                () -> "no" + planted.word("path that is none"),
                () -> "/own/" + planted.word("path through a value"))) {
            all.put(
                    "secret operation " + all.size(),
                    target() + operations(path.get(), text("value of an operation that fails")));
        }
        all.put(
                "operation of no type",
                document(
                        "strake/Operations/v1",
                        "o",
                        "encrypted",
                        "labels: {}",
                        "layer: site",
                        "{target: {schema: a/Target/v1, name: target}, operations: [{type: %s, path: /x}]}"
                                .formatted(text("type of an operation"))));
        all.put(
                "operation of other fields",
                document(
                        "strake/Operations/v1",
                        "o",
                        "encrypted",
                        "labels: {}",
                        "layer: site",
                        "{target: {schema: a/Target/v1, name: target}, operations: %s}"
                                .formatted(text("operations that are text"))));
        all.put(
                "secret collection",
                document(
                        "strake/Collection/v1",
                        "c",
                        "encrypted",
                        "labels: {}",
                        "layer: site",
                        "{schema: a/Base/v1, path: %s, into: {schema: a/All/v1, name: c}}"
                                .formatted(text("path of a collection"))));
        all.put(
                "collection that is none",
                document(
                        "strake/Collection/v1",
                        "c",
                        "encrypted",
                        "labels: {}",
                        "layer: site",
                        map("a collection that is none")));
        for (String constraint : List.of(
                "{allowed_values: [x]}",
                "{length: {max: 3}}",
                "{allowed_pattern: x}",
                "{range: {max: 3}}",
                "{custom_constraint: nova.flavor}")) {
            String type = constraint.contains("range") ? "number" : "string";
            for (boolean isHidden : new boolean[] {true, false}) {
                all.put("stack, " + constraint + isHidden, """
                        %s---
                        %s---
                        %s""".formatted(
                        document("heat/Template/v1", "t.yaml", "cleartext", "labels: {}", "layer: site", """
                                {heat_template_version: rocky, parameters: {p: {type: %s, hidden: %s, constraints: [%s]}}}""".formatted(
                                        type, isHidden, constraint)),
                        document(
                                "heat/Environment/v1",
                                "e",
                                "encrypted",
                                "labels: {}",
                                "layer: site",
                                "{parameters: {p: %s}}"
                                        .formatted(
                                                type.equals("number")
                                                        ? planted.number("number of an environment")
                                                        : text("parameter beside " + constraint))),
                        document(
                                "heat/Stack/v1",
                                "s",
                                "cleartext",
                                "labels: {}",
                                "layer: site",
                                "{template: t.yaml, environments: [e]}")));
            }
        }
        all.put("stack of a secret template", """
                %s---
                %s""".formatted(
                document(
                        "heat/Template/v1",
                        "t.yaml",
                        "encrypted",
                        "labels: {}",
                        "layer: site",
                        "{heat_template_version: %s, parameters: {p: {type: %s}}, resources: {r: {type: %s, properties: {x: {get_param: %s}}}}}"
                                .formatted(
                                        text("version"),
                                        text("type"),
                                        text("type of a resource"),
                                        text("name of a parameter"))),
                document("heat/Stack/v1", "s", "cleartext", "labels: {}", "layer: site", "{template: t.yaml}")));
        return all;
    }

    /** Returns texts that cannot be parsed or are no documents, with secrets next to the mistake. */
    public Map<String, String> unreadable() {
        Map<String, String> all = new LinkedHashMap<>();
        String head = """
                schema: a/Base/v1
                metadata: {schema: metadata/Document/v1, name: n, storagePolicy: encrypted, layeringDefinition: {layer: site}}
                data:
                """;
        Map<String, String> data = new LinkedHashMap<>();
        data.put("alias", "  password: *%s");
        data.put("tag", "  password: !%s x");
        data.put("tagged", "  password: !%%s %s".replace("%%s", "own"));
        data.put("python tag", "  password: !!python/object:%s {}");
        data.put("at sign", "  password: @%s");
        data.put("grave accent", "  password: `%s");
        data.put("percent", "  password: %%%s");
        data.put("open quote", "  password: \"%s");
        data.put("open single quote", "  password: '%s");
        data.put("open list", "  password: [%s");
        data.put("open map", "  password: {x: %s");
        data.put("colon", "  password: x: %s");
        data.put("escape", "  password: \"\\q%s\"");
        data.put("tab", "  password: x\n\t\tother: %s");
        data.put("indentation", "  password: %s\n other: x");
        data.put("repeated key", "  password: %s\n  password: x");
        data.put("merge", "  <<: %s");
        data.put("anchor", "  password: &%s *%s");
        data.put("integer", "  password: !!int %s");
        data.put("float", "  password: !!float %s");
        data.put("boolean", "  password: !!bool %s");
        data.put("null", "  password: !!null %s");
        data.put("binary", "  password: !!binary %s");
        data.put("set", "  password: !!set {%s}");
        data.put("timestamp", "  password: !!timestamp %s");
        data.put("control character", "  password: \"%s\u0001\"");
        data.put("after the end", "  password: x\n... %s");
        data.put("block", "  password: |9x %s");
        data.put("text and more", "  password: \"x\" %s");
        data.forEach((name, line) -> {
            String word = planted.word("unreadable, " + name);
            all.put(name, head + line.replace("%%", "%").replace("%s", word) + "\n");
        });
        all.put("text alone", planted.word("a text alone") + "\n");
        all.put("list alone", "[" + planted.word("a list alone") + "]\n");
        all.put("no document", "data: " + planted.word("data of no document") + "\nmetadata: {}\n");
        all.put("no metadata", "schema: a/Base/v1\ndata: " + planted.word("data without metadata") + "\n");
        all.put(
                "policy that is none",
                head.replace("encrypted", "secret") + "  password: " + planted.word("policy that is none") + "\n");
        all.put(
                "broken JSON",
                "[{\"schema\": \"a/B/v1\", \"data\": {\"password\": \"" + planted.word("broken JSON") + "\",}]");
        all.put("twice", (head + "  password: %s\n---\n").repeat(2).replace("%s", planted.word("a document twice")));
        return all;
    }

    private String checked(String policy, String schema, String data) {
        return "schema: deckhand/DataSchema/v1\nmetadata: {schema: metadata/Control/v1, name: a/Checked/v1, storagePolicy: "
                + policy
                + "}\ndata: " + schema + "\n---\n"
                + document("a/Checked/v1", "checked", "encrypted", "labels: {}", "layer: site", data);
    }

    private static String operations(String path, String value) {
        return document(
                "strake/Operations/v1",
                "o",
                "encrypted",
                "labels: {}",
                "layer: site",
                "{target: {schema: a/Target/v1, name: target}, operations: [{type: replace, path: '%s', value: %s}]}"
                        .formatted(path, value));
    }

    private static String target() {
        return document(
                        "a/Target/v1",
                        "target",
                        "cleartext",
                        "labels: {}",
                        "layer: site",
                        "{own: 1, list: [{name: x}]}")
                + "---\n";
    }

    private String repeated() {
        String item = text("repeated item");
        return "{x: [" + item + ", " + item + "]}";
    }

    private String deleting() {
        return random.nextBoolean()
                ? "actions: [{method: merge, path: .}, {method: delete, path: .list}]"
                : "actions: [{method: replace, path: .own}]";
    }

    private static String child(String of, String actions) {
        return "layer: site, parentSelector: {is: " + of + "}, " + actions;
    }

    private static String reader(String name, String substitutions) {
        return """
                schema: a/Reader/v1
                metadata:
                  schema: metadata/Document/v1
                  name: %s
                  storagePolicy: cleartext
                  layeringDefinition: {layer: site}
                  substitutions:
                %sdata: {url: 'db://admin:PASS@db', text: 'aPASSb', deep: {a: [xPASSx, {b: PASS}]}, list: [x]}
                """.formatted(name, substitutions.indent(2));
    }

    private static String document(
            String schema, String name, String policy, String more, String layering, String data) {
        return """
                schema: %s
                metadata: {schema: metadata/Document/v1, name: %s, storagePolicy: %s, %s, layeringDefinition: {%s}}
                data: %s
                """.formatted(schema, name, policy, more, layering, data);
    }

    /* Always contains the text and the map that other documents reference. */
    private String map(String where) {
        return "{text: %s, map: {%s}, list: [%s, %s], number: %s, long: %s}"
                .formatted(
                        text(where + ", text"),
                        members(where + ", map", 2),
                        leaf(where + ", item"),
                        leaf(where + ", item"),
                        planted.number(where + ", number"),
                        quoted("lorem ipsum ".repeat(random.nextInt(400))
                                + planted.word(where + ", long text")
                                + " dolor".repeat(random.nextInt(400))));
    }

    private String members(String where, int depth) {
        List<String> members = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(3); i++) {
            String key = "k" + i;
            String value = depth == 0 || random.nextBoolean()
                    ? leaf(where + "." + key)
                    : "{" + members(where + "." + key, depth - 1) + "}";
            members.add(key + ": " + value);
        }
        return members.stream().collect(joining(", "));
    }

    private String leaf(String where) {
        return switch (random.nextInt(6)) {
            case 0 -> planted.number(where);
            case 1 -> random.nextBoolean() ? "true" : "null";
            case 2 -> random.nextBoolean() ? "{}" : "[]";
            default -> text(where);
        };
    }

    private String text(String where) {
        return switch (random.nextInt(4)) {
            case 0 -> quoted(planted.unicode(where));
            case 1 -> quoted("first line\n" + planted.word(where + ", second line") + "\n  third\n");
            case 2 -> quoted(planted.number(where + ", digits as text"));
            default -> quoted(planted.word(where));
        };
    }

    private static String quoted(String text) {
        return Json.text(new Text(text));
    }
}
