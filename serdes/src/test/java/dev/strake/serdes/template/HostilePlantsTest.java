package dev.strake.serdes.template;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.template.TemplateRequest.Mode;
import dev.strake.engine.template.TreeRequest;
import dev.strake.engine.template.TreeValidator;
import dev.strake.engine.template.ValidatedTree;
import dev.strake.engine.template.tree.Limits;
import dev.strake.engine.tree.MapValue;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever is planted, at whatever level: a typed fault, within the bounds that are counted. */
class HostilePlantsTest {

    private static final Limits LIMITS = new Limits(5, 1000, 2_000, 50_000, 2_000_000);
    private static final int ROUNDS = Integer.getInteger("strake.plants", 2);

    @ParameterizedTest
    @EnumSource(HostilePlant.Kind.class)
    void shouldEndWithATypedFaultWithinItsBounds(HostilePlant.Kind kind) {
        long seed = Long.getLong("strake.seed", System.nanoTime());
        for (int round = 0; round < ROUNDS; round++) {
            for (int level = 0; level < 3; level++) {
                for (Mode mode : Mode.values()) {
                    String where = kind + " at level " + level + ", " + mode + ", -Dstrake.seed=" + seed;
                    HostilePlant plant = new HostilePlant(kind, level, seed + round);
                    TreeRequest request = new TreeRequest(
                            HostilePlant.TOP, List.of(HostilePlant.ENVIRONMENT), MapValue.EMPTY, mode, LIMITS);

                    ValidatedTree tree = TreeValidator.validate(request, plant::get);

                    assertEnded(tree, kind, where);
                }
            }
        }
    }

    private static void assertEnded(ValidatedTree tree, HostilePlant.Kind kind, String where) {
        Set<String> codes =
                tree.faults().stream().map(fault -> fault.code().code()).collect(Collectors.toSet());
        if (codes.isEmpty()) {
            assertThat(kind.codes()).as(where).contains("none");
        } else {
            assertThat(codes).as(where).isSubsetOf(kind.codes());
        }
        assertThat(tree.effort()).as(where).isLessThanOrEqualTo(LIMITS.effort());
        assertThat(tree.stacks().size()).as(where).isLessThanOrEqualTo(LIMITS.nodes());
        assertThat(tree.faults().size()).as(where).isLessThanOrEqualTo(1_000);
        assertThat(tree.faults())
                .as(where)
                .allSatisfy(fault -> assertThat(fault.text().length()).isLessThan(20_000));
    }
}
