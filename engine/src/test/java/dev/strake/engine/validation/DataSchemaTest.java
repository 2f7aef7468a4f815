package dev.strake.engine.validation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import org.junit.jupiter.api.Test;

class DataSchemaTest {

    private static final MapValue DANGLING = MapValue.builder()
            .put("type", new Text("object"))
            .put(
                    "properties",
                    MapValue.builder()
                            .put("url", MapValue.of("$ref", new Text("#/definitions/nowhere")))
                            .put("mode", MapValue.of("type", new Text("integer")))
                            .build())
            .build();

    @Test
    void shouldMindAReferenceToNothingOnlyWhereDataLeadsToIt() {
        DataSchema schema = DataSchema.of(DANGLING, RenderLimits.DEFAULT.budget());

        assertThat(schema.check(MapValue.of("mode", Num.of(1)), RenderLimits.DEFAULT.budget()))
                .isEmpty();
        assertThat(schema.check(MapValue.of("mode", new Text("x")), RenderLimits.DEFAULT.budget()))
                .singleElement()
                .extracting(DataSchema.Violation::path)
                .isEqualTo(".data.mode");
        assertThat(schema.check(MapValue.of("url", new Text("x")), RenderLimits.DEFAULT.budget()))
                .singleElement()
                .extracting(DataSchema.Violation::message)
                .asString()
                .contains("/definitions/nowhere");
    }
}
