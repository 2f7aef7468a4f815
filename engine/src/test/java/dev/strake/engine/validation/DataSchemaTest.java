package dev.strake.engine.validation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

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

    /** In KiB. The launcher gives threads 4 MiB, of which this leaves 1 MiB to the callers. */
    private static final int STACK = 3 << 10;

    /** The first takes most of the stack to compile, the second to match. */
    private static final List<String> DEEP_PATTERNS = List.of("^(?:a{0,1000})$", "((a?){30}){30}");

    /** The ways in which a schema may nest. */
    enum Nesting {
        REFERENCES,
        REFERENCES_OF_ALL,
        PROPERTIES,
        ITEMS,
        ALL,
        NOT;

        private static MapValue reference(int level) {
            return MapValue.of("$ref", new Text("#/definitions/level" + level));
        }

        /** A schema with the given number of levels; the innermost one has the pattern. */
        MapValue schema(int levels, String pattern) {
            Value inner = MapValue.of("pattern", new Text(pattern));
            MapValue.Builder definitions = MapValue.builder();
            for (int level = levels; level > 0; level--) {
                definitions.put("level" + level, inner);
                inner = switch (this) {
                    case REFERENCES -> reference(level);
                    case REFERENCES_OF_ALL -> MapValue.of("allOf", ListValue.of(List.of(reference(level))));
                    case PROPERTIES -> MapValue.of("properties", MapValue.of("p", inner));
                    case ITEMS -> MapValue.of("items", inner);
                    case ALL -> MapValue.of("allOf", ListValue.of(List.of(inner)));
                    case NOT -> MapValue.of("not", MapValue.of("not", inner));
                };
            }
            MapValue.Builder schema = MapValue.builder().put("properties", MapValue.of("p", inner));
            if (this == REFERENCES || this == REFERENCES_OF_ALL) {
                schema.put("definitions", definitions.build());
            }
            return schema.build();
        }

        /** Data that reaches the innermost level. */
        MapValue data(int levels) {
            Value inner = new Text("b");
            for (int level = levels; level > 0; level--) {
                inner = this == PROPERTIES
                        ? MapValue.of("p", inner)
                        : this == ITEMS ? ListValue.of(List.of(inner)) : inner;
            }
            return MapValue.of("p", inner);
        }

        List<DataSchema.Violation> check(int levels, String pattern) {
            return DataSchema.of(schema(levels, pattern), RenderLimits.DEFAULT.budget())
                    .check(data(levels), RenderLimits.DEFAULT.budget());
        }

        /* The first unsupported level is either rejected in the schema or reported as unchecked. */
        private boolean admits(int levels) {
            try {
                return check(levels, "b").isEmpty();
            } catch (RuntimeException e) {
                assertThat(e).hasMessageContaining("nested too deep");
                return false;
            }
        }

        int deepest() {
            int levels = 1;
            for (int step = 512; step > 0; step /= 2) {
                levels += admits(levels + step) ? step : 0;
            }
            return levels;
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldCheckWithTheLargestPatternsAtTheEndOfTheDeepestSchema(Nesting nesting) throws Exception {
        int levels = onAStackOf(64 << 10, nesting::deepest);
        assertThat(levels).isGreaterThan(200);
        for (String pattern : DEEP_PATTERNS) {
            assertThat(onAStackOf(STACK, () -> nesting.check(levels, pattern)).toString())
                    .doesNotContain("cannot be checked");
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldReportASchemaThatIsTooDeepForTheStack(Nesting nesting) throws Exception {
        int levels = onAStackOf(64 << 10, nesting::deepest);
        assertThat(onAStackOf(256, () -> said(() -> nesting.check(levels, "b"))))
                .contains("nested too deeply for the stack of a thread", "-Xss4m");
        assertThat(onAStackOf(STACK, () -> nesting.check(levels, "b"))).isEmpty();
    }

    /* The message for a rejected schema, or for data that cannot be validated. */
    private static String said(Callable<List<DataSchema.Violation>> check) throws Exception {
        try {
            return check.call().toString();
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        }
    }

    private static <T> T onAStackOf(int kibibytes, Callable<T> task) throws Exception {
        FutureTask<T> result = new FutureTask<>(task);
        new Thread(null, result, "with a stack of its own", (long) kibibytes << 10).start();
        return result.get();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://example.org/x.json",
                "https://json-schema.org/draft/2020-12/schema",
                "file:///etc/passwd",
                "other.json#/a",
                "classpath:x",
                "urn:x:y",
                "#/%zz"
            })
    void shouldReportAReferenceOutsideOfTheSchema(String reference) {
        MapValue body = MapValue.of("properties", MapValue.of("a", MapValue.of("$ref", new Text(reference))));

        assertThat(DataSchema.of(body, RenderLimits.DEFAULT.budget())
                        .check(MapValue.of("a", Num.of(1)), RenderLimits.DEFAULT.budget()))
                .singleElement()
                .extracting(DataSchema.Violation::message)
                .asString()
                .contains("$ref", "cannot be resolved", "nothing is fetched")
                .doesNotContain("Exception", "dialect", "Decoder");
    }

    @Test
    void shouldReportAMissingReferenceOnlyWhenDataReachesIt() {
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
