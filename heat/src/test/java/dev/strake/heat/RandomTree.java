package dev.strake.heat;

import dev.strake.heat.source.SourceFile;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A small tree of templates in which all files affect each other, and random edits of them. */
final class RandomTree {

    static final String TOP = "t0.yaml";
    static final List<String> ENVIRONMENTS = List.of("e0.yaml", "e1.yaml");

    private static final int TEMPLATES = 7;
    private static final String[] TYPES = {"string", "number", "json", "comma_delimited_list", "boolean"};
    private static final String[] DEFAULTS = {"a", "7", "{k: v}", "'x,y'", "true"};

    private final Random random;
    private final Map<String, SourceFile> files = new HashMap<>();

    RandomTree(long seed) {
        random = new Random(seed);
        for (int i = 0; i < TEMPLATES; i++) {
            put("t" + i + ".yaml", template(i));
        }
        ENVIRONMENTS.forEach(name -> put(name, environment()));
        put("script.sh", "echo 0");
        put("other.sh", "echo 0");
    }

    SourceFile get(String name) {
        return files.get(name);
    }

    void put(String name, String text) {
        files.put(name, new SourceFile(name, text));
    }

    /** Changes or removes one file, and returns its name. */
    String edit() {
        int choice = random.nextInt(20);
        if (choice < 9) {
            int number = random.nextInt(TEMPLATES);
            put("t" + number + ".yaml", template(number));
            return "t" + number + ".yaml";
        }
        if (choice < 14) {
            String name = ENVIRONMENTS.get(random.nextInt(2));
            put(name, environment());
            return name;
        }
        if (choice < 16) {
            String name = random.nextBoolean() ? "script.sh" : "other.sh";
            put(name, one("echo 1", "echo 2", "heat_template_version: rocky\nparameters: {p1: {type: json}}\n"));
            return name;
        }
        String name =
                random.nextInt(8) == 0 ? ENVIRONMENTS.get(1) : "t" + (1 + random.nextInt(TEMPLATES - 1)) + ".yaml";
        if (choice < 18) {
            files.remove(name);
        } else {
            put(name, one("{", "- no template\n", "heat_template_version: rocky\nparameters: {p0: {type: what}}\n"));
        }
        return name;
    }

    private String one(String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private String template(int number) {
        StringBuilder text = new StringBuilder("heat_template_version: rocky\nparameters:\n");
        for (int i = 0; i < 6; i++) {
            int type = random.nextInt(3) == 0 ? random.nextInt(TYPES.length) : 0;
            text.append("  p").append(i).append(": {type: ").append(TYPES[type]);
            if (random.nextBoolean()) {
                text.append(", default: ").append(DEFAULTS[type]);
            }
            if (random.nextInt(6) == 0) {
                text.append(", hidden: true");
            }
            if (random.nextInt(6) == 0) {
                text.append(", constraints: [{length: {max: 3}}]");
            }
            text.append("}\n");
        }
        text.append("conditions:\n  c: {equals: [{get_param: p")
                .append(random.nextInt(7))
                .append("}, a]}\n");
        text.append("resources:\n  plain: {type: 'OS::Heat::Value', properties: {value: {get_file: other.sh}}}\n");
        for (int i = 0; i < 1 + random.nextInt(3); i++) {
            resource(text, number, i);
        }
        return text.toString();
    }

    private void resource(StringBuilder text, int number, int index) {
        String nested = nested(number);
        text.append("  r").append(index).append(":\n");
        if (random.nextInt(5) == 0) {
            text.append("    condition: c\n");
        }
        if (random.nextInt(12) == 0) {
            text.append("    depends_on: ").append(one("r0", "r1", "plain")).append('\n');
        }
        switch (random.nextInt(6)) {
            case 0 ->
                text.append("    type: OS::Heat::ResourceGroup\n    properties:\n      resource_def:\n        type: ")
                        .append(nested)
                        .append("\n        properties: {p0: 'number %index%', p1: {get_param: p1}}\n");
            case 1 ->
                text.append("    type: OS::Heat::ResourceChain\n    properties:\n      resources: ['")
                        .append(nested)
                        .append("', 'My::A']\n      resource_properties: {p0: {get_param: p0}}\n");
            default ->
                text.append("    type: ")
                        .append(nested)
                        .append("\n    properties: {p0: ")
                        .append(value())
                        .append(", p2: ")
                        .append(value())
                        .append("}\n");
        }
    }

    private String nested(int number) {
        int next = number + 1 + random.nextInt(2);
        if (random.nextInt(40) == 0) {
            return "t" + number + ".yaml"; // nests itself
        }
        if (random.nextInt(10) == 0) {
            return "late.yaml"; // does not exist
        }
        return next >= TEMPLATES || random.nextInt(3) == 0 ? one("My::A", "My::B", "Any::C") : "t" + next + ".yaml";
    }

    private String value() {
        return one(
                "a",
                "{get_param: p0}",
                "{get_param: p3}",
                "{get_file: script.sh}",
                "{get_param: 'OS::stack_name'}",
                "{list_join: ['-', [{get_param: p1}, b]]}",
                "{if: [c, {get_param: p2}, z]}",
                "{get_attr: [plain, value]}",
                "''");
    }

    private String environment() {
        StringBuilder text = new StringBuilder();
        if (random.nextInt(3) > 0) {
            text.append("parameter_defaults: {p")
                    .append(random.nextInt(6))
                    .append(": ")
                    .append(one("a", "bb", "'5'"));
            text.append(", nobody").append(random.nextInt(3)).append(": 1}\n");
        }
        if (random.nextInt(4) == 0) {
            text.append("parameters: {p")
                    .append(random.nextInt(6))
                    .append(": ")
                    .append(one("a", "q"))
                    .append("}\n");
        }
        if (random.nextInt(6) == 0) {
            text.append("parameter_merge_strategies: {default: merge}\n");
        }
        text.append("resource_registry:\n  nobody::N: t6.yaml\n");
        for (String type : List.of("My::A", "My::B", "Any::*", "My::*", "Any::C")) {
            if (random.nextBoolean()) {
                text.append("  '")
                        .append(type)
                        .append("': ")
                        .append(one("t5.yaml", "t6.yaml", "OS::Heat::None", "OS::Heat::Value", "My::B"))
                        .append('\n');
            }
        }
        if (random.nextInt(5) == 0) {
            text.append("  resources: {r0: {'My::A': OS::Heat::None, r1: {'My::B': t6.yaml}}}\n");
        }
        return text.toString();
    }
}
