package dev.strake.heat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.property.WorkspacePropertyTest;
import java.util.Map;

/** The engine's random stories with stacks: {@link RandomStacks} generates them, {@link NaiveStack} verifies them. */
class StackStoriesTest extends WorkspacePropertyTest {

    @Override
    protected void check(Map<String, Integer> counts, long steps) {
        super.check(counts, steps);
        assertThat(counts.get("InvalidTemplateTree")).isGreaterThan((int) (steps / 400));
    }
}
