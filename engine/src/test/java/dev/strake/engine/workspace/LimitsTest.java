package dev.strake.engine.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import dev.strake.engine.TestDocument;
import dev.strake.engine.TestWorkspace;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.render.DataSchemas;
import dev.strake.engine.render.Renderer;
import dev.strake.engine.tree.MapValue;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Small documents that would render huge ones: each causes a problem quickly, and other documents render. */
class LimitsTest {

    private static final MapValue POLICY = TestDocument.layers("top");

    @Test
    void shouldRejectADocumentThatIsDoubledThirtyTimes() {
        List<MapValue> documents = new ArrayList<>(List.of(POLICY, document("d0", "{'a':'0123456789'}")));
        for (int i = 1; i <= 30; i++) {
            String source = "d" + (i - 1);
            documents.add(taking("d" + i, source, ".", ".a")
                    .taking("t/A/v1", source, ".", ".b")
                    .data("{}"));
        }
        TestWorkspace workspace = new TestWorkspace(Renderer.holdingDocuments());

        Update update = workspace.putBucket("b", documents);

        assertThat(update.status()).isEqualTo(Update.Status.PARTIAL);
        Problem first = workspace.head().problems(1).get(0);
        assertThat(first.code()).isEqualTo(ProblemCode.LIMIT_EXCEEDED);
        assertThat(workspace.published()).containsKey(new DocumentKey("t/A/v1", "d10"));
        assertThat(workspace.published()).doesNotContainKey(new DocumentKey("t/A/v1", "d30"));
    }

    @Test
    void shouldRejectADocumentThatIsNestedTooDeep() {
        String deep = "{'x':".repeat(60) + "1" + "}".repeat(60);
        List<MapValue> documents = new ArrayList<>(List.of(POLICY, document("d0", deep)));
        for (int i = 1; i <= 6; i++) {
            documents.add(taking("d" + i, "d" + (i - 1), ".", ".y".repeat(40)).data("{}"));
        }
        TestWorkspace workspace = new TestWorkspace(Renderer.holdingDocuments());

        workspace.putBucket("b", documents);

        assertThat(workspace.head().problems(100)).extracting(Problem::code).containsOnly(ProblemCode.LIMIT_EXCEEDED);
        assertThat(workspace.published()).containsKey(new DocumentKey("t/A/v1", "d4"));
        assertThat(workspace.published()).doesNotContainKey(new DocumentKey("t/A/v1", "d5"));
    }

    @Test
    void shouldFollowChainsLongerThanAThreadsStack() {
        List<MapValue> documents = new ArrayList<>(List.of(POLICY, document("d0", "{'a':1}")));
        for (int i = 1; i <= 10_000; i++) {
            documents.add(taking("d" + i, "d" + (i - 1), ".a", ".a").data("{}"));
        }
        TestWorkspace workspace = new TestWorkspace();

        workspace.putBucket("b", documents);
        Update update = workspace.put("b", document("d0", "{'a':2}"));

        assertThat(update.work().evaluated()).isEqualTo(10_001);
        assertThat(workspace
                        .published()
                        .get(new DocumentKey("t/A/v1", "d10000"))
                        .get("data"))
                .isEqualTo(Json.value("{'a':2}"));
    }

    @Test
    void shouldPadListsUpToTheLimit() {
        List<MapValue> documents = List.of(
                POLICY,
                document("d0", "{'a':1}"),
                taking("near", "d0", ".a", ".l[3]").data("{'l':[0]}"),
                taking("far", "d0", ".a", ".l[4]").data("{'l':[0]}"));
        RenderLimits limits = new RenderLimits(1_000, 10, 2);
        TestWorkspace workspace = new TestWorkspace(new Renderer(true, limits, new DataSchemas()));

        workspace.putBucket("b", documents);

        assertThat(workspace.published().get(new DocumentKey("t/A/v1", "near")).get("data"))
                .isEqualTo(Json.value("{'l':[0,{},{},1]}"));
        assertThat(workspace.head().problems(2)).singleElement().satisfies(problem -> {
            assertThat(problem.document().name()).isEqualTo("far");
            assertThat(problem.message()).contains("index 4 is out of range", "at most 2");
        });
    }

    @Test
    void shouldRenderADocumentWithTheNextChangeAfterItsLimitIsRaised() {
        for (boolean restarted : new boolean[] {false, true}) {
            TestWorkspace loaded = new TestWorkspace(limitedTo(100));
            loaded.putBucket("b", List.of(POLICY, document("long", data(200)), document("short", data(10))));
            assertThat(troubled(loaded)).containsExactly("long");

            TestWorkspace workspace = restarted ? loaded.reopened() : loaded;
            workspace.renderWith(limitedTo(1_000));
            Update update = workspace.put("b", document("other", "{}"));

            assertThat(update.status()).isEqualTo(Update.Status.RENDERED);
            assertThat(troubled(workspace)).isEmpty();
            assertThat(workspace.published()).containsKey(new DocumentKey("t/A/v1", "long"));
            assertThat(update.emissions()).as("what is published again").hasSize(2);
        }
    }

    @Test
    void shouldReportADocumentBeyondALoweredLimitWithTheNextChange() {
        for (boolean restarted : new boolean[] {false, true}) {
            TestWorkspace loaded = new TestWorkspace(limitedTo(1_000));
            loaded.putBucket("b", List.of(POLICY, document("long", data(200)), document("short", data(10))));
            assertThat(troubled(loaded)).isEmpty();

            TestWorkspace workspace = restarted ? loaded.reopened() : loaded;
            workspace.renderWith(limitedTo(100));
            Update update = workspace.put("b", document("other", "{}"));

            assertThat(update.status()).isEqualTo(Update.Status.PARTIAL);
            assertThat(troubled(workspace)).containsExactly("long");
            assertThat(workspace.head().problems(1)).extracting(Problem::code).containsOnly(ProblemCode.LIMIT_EXCEEDED);
            assertThat(update.emissions()).as("what is published").hasSize(1);
        }
    }

    @Test
    void shouldTouchNoOtherDocumentWhileLimitsStay() {
        TestWorkspace workspace = new TestWorkspace(limitedTo(100));
        workspace.putBucket("b", List.of(POLICY, document("long", data(200)), document("short", data(10))));

        workspace.renderWith(limitedTo(100));

        assertThat(workspace.put("b", document("other", "{}")).work().affected())
                .isEqualTo(1);
    }

    private static Renderer limitedTo(long bytes) {
        return new Renderer(true, new RenderLimits(bytes, 10, 2), new DataSchemas());
    }

    private static String data(int length) {
        return "{'a':'" + "x".repeat(length) + "'}";
    }

    private static List<String> troubled(TestWorkspace workspace) {
        return workspace.head().problems(100).stream()
                .map(problem -> problem.document().name())
                .toList();
    }

    private static MapValue document(String name, String data) {
        return TestDocument.document("t/A/v1", name).in("top").data(data);
    }

    private static TestDocument taking(String name, String source, String path, String destination) {
        return TestDocument.document("t/A/v1", name).in("top").taking("t/A/v1", source, path, destination);
    }
}
