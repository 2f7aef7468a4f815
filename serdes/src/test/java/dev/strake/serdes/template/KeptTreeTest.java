package dev.strake.serdes.template;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.template.KeptTree;
import dev.strake.engine.template.TemplateRequest.Mode;
import dev.strake.engine.template.TreeRequest;
import dev.strake.engine.template.ValidatedTree;
import dev.strake.engine.template.source.SourceFile;
import dev.strake.engine.template.tree.Limits;
import dev.strake.engine.template.tree.Part;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A tree that is validated again and again. */
class KeptTreeTest {

    private static final int MEMORY = 1 << 20;
    private static final String HEAD = "heat_template_version: rocky\n";

    private final Map<String, SourceFile> files = new HashMap<>();
    private final KeptTree kept = new KeptTree(MEMORY);

    KeptTreeTest() {
        put(
                "top.yaml",
                HEAD + "resources:\n  a: {type: a.yaml, properties: {p: {get_param: 'OS::stack_name'}}}\n"
                        + "  b: {type: 'My::B'}\n  s: {type: 'OS::Heat::Value', properties: {value: {get_file: script.sh}}}\n");
        put(
                "a.yaml",
                HEAD + "parameters: {p: {type: string}}\nresources:\n"
                        + "  leaf: {type: leaf.yaml, properties: {q: {get_file: read.txt}}}\n");
        put("b.yaml", HEAD + "parameters: {r: {type: string, default: own}}\nresources: {leaf: {type: leaf.yaml}}\n");
        put("leaf.yaml", HEAD + "parameters: {q: {type: string}}\n");
        put("script.sh", "echo 1\n");
        put("read.txt", "one\n");
        put(
                "e.yaml",
                "parameter_defaults: {r: given, nobody: 1}\nresource_registry: {'My::B': b.yaml, 'My::N': a.yaml}\n");
    }

    private void put(String name, String text) {
        files.put(name, new TextSource(name, text));
    }

    private ValidatedTree validate() {
        return kept.validate(request(List.of("e.yaml"), "top.yaml", Mode.DEEP), files::get);
    }

    private static TreeRequest request(List<String> environments, String template, Mode mode) {
        return new TreeRequest(template, environments, MapValue.EMPTY, mode, Limits.DEFAULT);
    }

    @Test
    void shouldNotValidateAgainIfNothingThatWasUsedDiffers() {
        ValidatedTree before = validate();
        put("script.sh", "echo 2\n"); // no nested template is given it
        put(
                "e.yaml",
                "parameter_defaults: {nobody: 2, r: given}\nresource_registry: {'My::B': b.yaml, 'My::N': a.yaml, 'My::M': a.yaml}\n");
        put("unrelated.yaml", "{");
        assertThat(validate()).isSameAs(before);
    }

    @Test
    void shouldWalkOnlyTheStacksOfATemplateThatDiffersAndThoseAroundThem() {
        validate();
        assertThat(kept.walked()).isEqualTo(4);
        put("b.yaml", files.get("b.yaml").text() + "description: other\n");
        ValidatedTree after = validate();
        assertThat(kept.walked()).isEqualTo(1);
        assertThat(after.stacks())
                .filteredOn(stack -> stack.path().equals(List.of("b")))
                .extracting(stack -> stack.schema().get("Description"))
                .containsExactly(new Text("other"));
        put("leaf.yaml", files.get("leaf.yaml").text() + "description: other\n");
        validate();
        assertThat(kept.walked()).isEqualTo(4);
    }

    @Test
    void shouldWalkAStackAgainIfADefaultOrFileOrMappingDiffersThatItUsed() {
        ValidatedTree first = validate();
        put("e.yaml", files.get("e.yaml").text().replace("r: given", "r: other"));
        ValidatedTree second = validate();
        assertThat(second.stacks()).isNotEqualTo(first.stacks());
        assertThat(kept.walked()).isEqualTo(1);
        put("read.txt", "two\n");
        ValidatedTree third = validate();
        assertThat(third.stacks()).isNotEqualTo(second.stacks());
        assertThat(kept.walked()).isEqualTo(2);
        put("e.yaml", files.get("e.yaml").text().replace("'My::B': b.yaml", "'My::B': OS::Heat::None"));
        assertThat(validate().stacks()).hasSize(3);
        assertThat(kept.walked()).isZero();
    }

    @Test
    void shouldWalkAStackAgainIfItsTypeIsMappedToAnotherFile() {
        validate();
        put("other.yaml", files.get("b.yaml").text() + "description: other\n");
        put("e.yaml", files.get("e.yaml").text().replace("'My::B': b.yaml", "'My::B': other.yaml, 'My::Old': b.yaml"));
        assertThat(validate().stacks())
                .filteredOn(stack -> stack.path().equals(List.of("b")))
                .extracting(stack -> stack.schema().get("Description"))
                .containsExactly(new Text("other"));
    }

    @Test
    void shouldCheckTheMembersOfAGroupThatWasEmpty() {
        String group = HEAD + "resources:\n  g:\n    type: OS::Heat::ResourceGroup\n"
                + "    properties: {count: 0, resource_def: {type: member.yaml}}\n";
        put("member.yaml", HEAD + "resources: {x: {type: 'OS::Heat::Value', properties: {value: 1, wrong: 2}}}\n");
        put("top.yaml", group);
        assertThat(validate().faults()).isEmpty();
        put("top.yaml", group.replace("count: 0", "count: 1"));
        assertThat(validate().faults()).extracting(fault -> fault.code().code()).containsExactly("unknown-property");
    }

    @Test
    void shouldTellStacksApartWhoseNamesAreAlike() {
        put("top.yaml", HEAD + "resources: {a-b: {type: deep.yaml}, a: {type: mid.yaml}}\n");
        put("mid.yaml", HEAD + "resources: {b: {type: deep.yaml}}\n");
        put("deep.yaml", HEAD + "resources: {x: {type: end.yaml}}\n");
        put("end.yaml", HEAD);
        TreeRequest request =
                new TreeRequest("top.yaml", List.of(), MapValue.EMPTY, Mode.DEEP, Limits.DEFAULT.nesting(2));
        ValidatedTree tree = kept.validate(request, files::get);
        assertThat(tree.faults()).extracting(fault -> fault.code().code()).containsExactly("nesting-depth");
        assertSame(tree, new KeptTree(0).validate(request, files::get), "with and without memory");
    }

    @Test
    void shouldCountStacksAndParametersThatItRemembers() {
        Limits usual = Limits.DEFAULT;
        for (Limits limits : List.of(
                new Limits(usual.nesting(), usual.resources(), 5, usual.parameters(), usual.effort()),
                new Limits(usual.nesting(), usual.resources(), usual.nodes(), 4, usual.effort()))) {
            put("top.yaml", HEAD + "resources: {a: {type: b.yaml}, b: {type: b.yaml}}\n");
            TreeRequest request = new TreeRequest("top.yaml", List.of(), MapValue.EMPTY, Mode.DEEP, limits);
            assertThat(kept.validate(request, files::get).faults()).isEmpty();
            put("top.yaml", HEAD + "resources: {a: {type: b.yaml}, b: {type: b.yaml}, c: {type: b.yaml}}\n");
            ValidatedTree larger = kept.validate(request, files::get);
            assertThat(larger.faults()).extracting(fault -> fault.code().code()).containsExactly("limit-exceeded");
            assertSame(larger, new KeptTree(0).validate(request, files::get), "with and without memory");
        }
    }

    @Test
    void shouldFindAFaultThatIsPutBack() {
        String sound = files.get("leaf.yaml").text();
        ValidatedTree before = validate();
        assertThat(before.faults()).isEmpty();
        put("leaf.yaml", sound + "resources: {x: {type: 'Un::Known'}}\n");
        ValidatedTree wrong = validate();
        assertThat(wrong.faults())
                .extracting(fault -> fault.code().code())
                .containsExactly("unknown-type", "unknown-type");
        assertThat(wrong.status()).isEqualTo(ValidatedTree.Status.INVALID);
        put("leaf.yaml", sound);
        assertThat(validate().faults()).isEmpty();
        put("leaf.yaml", sound + "resources: {x: {type: 'Un::Known'}}\n");
        assertThat(validate().faults()).isEqualTo(wrong.faults());
    }

    @Test
    void shouldLookAgainWhenAFileAppearsThatWasMissing() {
        SourceFile leaf = files.remove("leaf.yaml");
        ValidatedTree without = validate();
        assertThat(without.absent()).containsExactly("leaf.yaml");
        assertThat(without.reads().found(new Part.File("leaf.yaml"))).isFalse();
        assertThat(without.faults()).extracting(fault -> fault.code().code()).containsOnly("template-missing");
        files.put("leaf.yaml", leaf);
        assertThat(validate().faults()).isEmpty();
    }

    @Test
    void shouldTellThatTheTemplateAtTheTopIsMissing() {
        files.remove("top.yaml");
        ValidatedTree none = validate();
        assertThat(none.stacks()).isEmpty();
        assertThat(none.absent()).containsExactly("top.yaml");
        assertThat(none.faults()).extracting(fault -> fault.code().code()).containsExactly("template-missing");
    }

    @Test
    void shouldRememberAsMuchAsIsAllowed() {
        KeptTree small = new KeptTree(2_000);
        TreeRequest request = request(List.of("e.yaml"), "top.yaml", Mode.DEEP);
        ValidatedTree tree = small.validate(request, files::get);
        assertThat(small.held()).isPositive().isLessThanOrEqualTo(2_000);
        assertThat(tree.stacks()).isEqualTo(validate().stacks());
    }

    @Test
    void shouldCountWorkAlikeWithAndWithoutMemory() {
        validate();
        put("e.yaml", "parameter_defaults: {r: other}\nresource_registry: {'My::B': b.yaml}\n");
        for (int effort = 20; effort < 400; effort += 7) {
            TreeRequest tight = new TreeRequest(
                    "top.yaml",
                    List.of("e.yaml"),
                    MapValue.EMPTY,
                    Mode.DEEP,
                    new Limits(5, 1000, 20_000, 500_000, effort));
            KeptTree warm = new KeptTree(MEMORY);
            warm.validate(tight, files::get);
            put("a.yaml", files.get("a.yaml").text() + "# " + effort + "\n");
            assertSame(
                    warm.validate(tight, files::get), new KeptTree(0).validate(tight, files::get), "effort " + effort);
        }
    }

    /** With memory or without, the answer is the same; and it is the same if nothing differs that was looked at. */
    @ParameterizedTest
    @EnumSource(Mode.class)
    void shouldAnswerAsWithoutMemoryWhateverIsEdited(Mode mode) {
        long seed = Long.getLong("strake.seed", System.nanoTime());
        int kinds = 0;
        for (int trees = 0; trees < 40; trees++) {
            RandomTree tree = new RandomTree(seed + trees);
            TreeRequest request = request(RandomTree.ENVIRONMENTS, RandomTree.TOP, mode);
            KeptTree warm = new KeptTree(trees % 4 == 0 ? 5_000 : MEMORY);
            ValidatedTree last = warm.validate(request, tree::get);
            for (int step = 0; step < 60; step++) {
                String edited = tree.edit();
                ValidatedTree again = warm.validate(request, tree::get);
                String where = "-Dstrake.seed=" + seed + ", tree " + trees + ", step " + step + ", " + edited;
                assertSame(again, new KeptTree(0).validate(request, tree::get), where);
                kinds |= again.equals(last) ? 1 : again.faults().isEmpty() ? 2 : 4;
                last = again;
            }
        }
        assertThat(kinds).as("trees that stay, that are sound, that are not").isEqualTo(7);
    }

    private static void assertSame(ValidatedTree warm, ValidatedTree cold, String where) {
        assertThat(warm.faults()).as(where).isEqualTo(cold.faults());
        assertThat(warm.stacks()).as(where).isEqualTo(cold.stacks());
        assertThat(warm.needsInput()).as(where).isEqualTo(cold.needsInput());
        assertThat(warm.effort()).as(where).isEqualTo(cold.effort());
        assertThat(warm.parameters()).as(where).isEqualTo(cold.parameters());
        assertThat(warm.absent()).as(where).isEqualTo(cold.absent());
        assertThat(warm.reads().parts()).as(where).isEqualTo(cold.reads().parts());
    }
}
