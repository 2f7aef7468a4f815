package dev.strake.heat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.tree.MapValue;
import dev.strake.heat.source.ReachableFiles;
import dev.strake.heat.source.SourceFile;
import dev.strake.heat.template.TemplateRequest.Mode;
import dev.strake.heat.template.TreeLimits;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A tree that finds its files by name. */
class TreeValidatorTest {

    private static final String HEAD = "heat_template_version: rocky\n";

    private final Map<String, SourceFile> files = new HashMap<>();

    TreeValidatorTest() {
        put("top.yaml", HEAD + "resources:\n  a: {type: a.yaml}\n  b: {type: 'My::B'}\n");
        put("a.yaml", HEAD + "resources:\n  leaf: {type: leaf.yaml, properties: {q: {get_file: read.txt}}}\n");
        put("b.yaml", HEAD + "parameters: {r: {type: string, default: own}}\nresources: {leaf: {type: leaf.yaml}}\n");
        put("leaf.yaml", HEAD + "parameters: {q: {type: string}}\n");
        put("read.txt", "one\n");
        put("e.yaml", "parameter_defaults: {r: given}\nresource_registry: {'My::B': b.yaml}\n");
    }

    private void put(String name, String text) {
        files.put(name, new SourceFile(name, text));
    }

    private ValidatedTree validate() {
        return TreeValidator.validate(
                new TreeRequest("top.yaml", List.of("e.yaml"), MapValue.EMPTY, Mode.DEEP, TreeLimits.DEFAULT),
                files::get);
    }

    @Test
    void shouldCollectTheFilesOfATemplateAndItsEnvironments() {
        put("unrelated.yaml", "{");
        assertThat(ReachableFiles.collect(files.get("top.yaml"), List.of("e.yaml"), files::get)
                        .keySet())
                .containsExactlyInAnyOrder("a.yaml", "b.yaml", "leaf.yaml", "read.txt", "e.yaml");
        ValidatedTree tree = validate();
        assertThat(tree.stacks())
                .extracting(stack -> String.join("/", stack.path()))
                .containsExactlyInAnyOrder("", "a", "a/leaf", "b", "b/leaf");
        assertThat(tree.status()).isEqualTo(ValidatedTree.Status.NEEDS_INPUT);
    }

    @Test
    void shouldReportAFaultForEachStackOfItsTemplate() {
        put("leaf.yaml", files.get("leaf.yaml").text() + "resources: {x: {type: 'Un::Known'}}\n");
        ValidatedTree wrong = validate();
        assertThat(wrong.faults())
                .extracting(fault -> fault.code().code())
                .containsExactly("unknown-type", "unknown-type");
        assertThat(wrong.status()).isEqualTo(ValidatedTree.Status.INVALID);
    }

    @Test
    void shouldNotCheckTheMembersOfAnEmptyGroup() {
        String group = HEAD + "resources:\n  g:\n    type: OS::Heat::ResourceGroup\n"
                + "    properties: {count: 0, resource_def: {type: member.yaml}}\n";
        put("member.yaml", HEAD + "resources: {x: {type: 'OS::Heat::Value', properties: {value: 1, wrong: 2}}}\n");
        put("top.yaml", group);
        assertThat(validate().faults()).isEmpty();
        put("top.yaml", group.replace("count: 0", "count: 1"));
        assertThat(validate().faults()).extracting(fault -> fault.code().code()).containsExactly("unknown-property");
    }

    @Test
    void shouldReportAMissingFile() {
        files.remove("leaf.yaml");
        ValidatedTree without = validate();
        assertThat(without.faults()).extracting(fault -> fault.code().code()).containsOnly("template-missing");
    }

    @Test
    void shouldReportAMissingTopTemplate() {
        files.remove("top.yaml");
        ValidatedTree none = validate();
        assertThat(none.stacks()).isEmpty();
        assertThat(none.faults()).extracting(fault -> fault.code().code()).containsExactly("template-missing");
    }

    @Test
    void shouldFindAllFaultsThatCreationRejects() {
        put(
                "top.yaml",
                HEAD + "parameters:\n  a: {type: number, default: abc}\n  b: {type: boolean, default: maybe}\n"
                        + "  c: {type: json, default: \"{x\"}\n"
                        + "resources:\n  r: {type: leaf.yaml, properties: {q: {get_param: nope}}}\n");
        ValidatedTree tree = validate();
        assertThat(tree.faults())
                .extracting(fault -> fault.code().code() + " " + fault.place())
                .containsExactlyInAnyOrder(
                        "parameter-default .parameters.a",
                        "parameter-default .parameters.b",
                        "parameter-default .parameters.c",
                        "missing-parameter .resources.r.properties.q.get_param");
    }
}
