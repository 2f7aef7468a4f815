package dev.strake.engine.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import dev.strake.engine.apply.ApplyMode;
import dev.strake.engine.apply.ApplyRequest;
import dev.strake.engine.apply.ApplyResult;
import dev.strake.engine.apply.ApplyResult.Action;
import dev.strake.engine.apply.Applying;
import dev.strake.engine.apply.InvalidPatchException;
import dev.strake.engine.apply.KubernetesObject;
import dev.strake.engine.apply.MergePatch;
import dev.strake.engine.apply.StrategicMergePatch;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Recorded answers of RFC 7386, kubectl and razeedeploy-core: a few that come with the sources, and all of the corpus. */
class MergeModesCorpusTest {

    private static final List<String> FILES = List.of("rfc7386.jsonl", "strategic.jsonl", "razee.jsonl");

    private static final Path CORPUS =
            Path.of(System.getProperty("strake.corpus", "../../shared/corpus"), "merge-modes");

    /** What the released program cannot do and has no reason to refuse; see docs/razee-compatibility.md. */
    private static final String NEEDLESS_FAILURE = "Cannot create property ";

    @TestFactory
    Stream<DynamicTest> shouldAnswerAsRecorded() {
        return FILES.stream().flatMap(file -> tests(file, resource(file)));
    }

    @TestFactory
    Stream<DynamicTest> shouldAnswerTheWholeCorpusAsRecorded() {
        if (Files.exists(CORPUS)) {
            return FILES.stream().flatMap(file -> tests(file, read(CORPUS.resolve(file))));
        }
        // As a test of its own, because a factory that is skipped is in no report.
        return Stream.of(DynamicTest.dynamicTest(
                "all cases",
                () -> Assumptions.abort("no more cases without the corpus: -Dstrake.corpus=DIR says where it is")));
    }

    private static Stream<DynamicTest> tests(String file, String lines) {
        return lines.lines()
                .map(Json::map)
                .map(recorded -> DynamicTest.dynamicTest(text(recorded, "id"), () -> {
                    MapValue expected = (MapValue) recorded.get("expect");
                    if (file.equals("razee.jsonl")) {
                        assertApplied(expected, recorded);
                    } else {
                        assertMerged(expected, recorded);
                    }
                }));
    }

    private static void assertMerged(MapValue expected, MapValue recorded) {
        Value live = recorded.get("live");
        Value patch = recorded.get("patch");
        Value liveBefore = Json.value(Json.text(live));
        Value patchBefore = Json.value(Json.text(patch));
        try {
            Value merged = text(recorded, "mode").equals("merge-patch")
                    ? MergePatch.apply(live, patch)
                    : StrategicMergePatch.apply((MapValue) live, (MapValue) patch);
            assertThat(expected.get("error")).isNull();
            assertSame(expected.get("object"), merged);
        } catch (InvalidPatchException e) {
            assertThat(expected.get("error")).as(e.failure().toString()).isNotNull();
            assertThat(e.failure().kind().text()).isEqualTo(text((MapValue) expected.get("error"), "kind"));
        }
        assertThat(live).isEqualTo(liveBefore);
        assertThat(patch).isEqualTo(patchBefore);
    }

    private static void assertApplied(MapValue expected, MapValue recorded) {
        MapValue desired = (MapValue) recorded.get("desired");
        ApplyMode mode = ApplyMode.named(text(recorded, "mode")).orElseThrow();
        assertThat(ApplyMode.of(desired)).isEqualTo(mode);
        Set<String> alive = ((ListValue) recorded.get("parents_alive"))
                .items().stream().map(parent -> ((Text) parent).value()).collect(Collectors.toSet());
        MapValue live = recorded.get("live") instanceof MapValue map ? map : null;
        ApplyResult result = Applying.apply(new ApplyRequest(
                live, recorded.get("lastApplied"), desired, mode, text(recorded, "parent"), alive, null));
        if (expected.get("error") instanceof MapValue error) {
            if (text(error, "message").startsWith(NEEDLESS_FAILURE)) {
                assertThat(result.action()).isEqualTo(Action.PATCH);
                return;
            }
            assertThat(result.action()).isEqualTo(Action.FAILED);
            assertThat(Num.of(result.failure().orElseThrow().kind().status())).isEqualTo(error.get("status"));
        } else {
            assertThat(result.failure()).isEmpty();
            assertThat(result.action().text()).isEqualTo(text(expected, "action"));
            assertSame(expected.get("object"), result.object());
        }
        assertThat(result.request().isPresent()).isEqualTo(expected.has("request"));
        result.request().ifPresent(request -> {
            MapValue sent = (MapValue) expected.get("request");
            assertThat(request.type().method()).isEqualTo(text(sent, "method"));
            assertThat(request.type().contentType()).isEqualTo(text(sent, "contentType"));
            assertSame(sent.get("body"), request.body());
        });
        boolean isChild = Set.of(Action.CREATE, Action.PATCH, Action.NONE).contains(result.action());
        assertThat(isChild).isEqualTo(expected.get("child") != Null.NULL);
    }

    private static void assertSame(Value expected, Value actual) {
        assertThat(Json.text(comparable(actual))).isEqualTo(Json.text(comparable(expected)));
    }

    /* Numbers count by their value, mappings without their order, annotations that are JSON by what they say. */
    private static Value comparable(Value value) {
        if (value instanceof MapValue map) {
            MapValue.Builder sorted = MapValue.builder();
            map.keys().stream().sorted().forEach(key -> sorted.put(key, comparable(parsed(key, map.get(key)))));
            return sorted.build();
        }
        if (value instanceof ListValue list) {
            return list.withEach((i, item) -> comparable(item));
        }
        return value instanceof Num num
                ? new Text("number " + num.decimal().stripTrailingZeros().toPlainString())
                : value;
    }

    private static Value parsed(String key, Value value) {
        boolean isJson = key.equals(KubernetesObject.LAST_APPLIED) || key.equals(KubernetesObject.PENDING);
        return isJson && value instanceof Text text && text.value().startsWith("{") ? Json.value(text.value()) : value;
    }

    private static String text(MapValue map, String key) {
        return map.get(key) instanceof Text text ? text.value() : "";
    }

    private static String resource(String file) {
        try (InputStream in = MergeModesCorpusTest.class.getResourceAsStream("/merge-modes/" + file)) {
            return new String(Optional.ofNullable(in).orElseThrow().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
