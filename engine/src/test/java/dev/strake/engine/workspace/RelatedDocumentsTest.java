package dev.strake.engine.workspace;

import static dev.strake.engine.TestDocument.document;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.TestDocument;
import dev.strake.engine.TestWorkspace;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.render.Renderer;
import dev.strake.engine.tree.MapValue;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A problem names the current related documents, not those at the time when it first occurred. */
class RelatedDocumentsTest {

    private static final MapValue POLICY = TestDocument.layers("global", "site");

    private static final MapValue READER = document("t/A/v1", "reader")
            .taking("t/A/v1", "source", ".absent", ".b")
            .data("{}");

    @Test
    void shouldNameTheSourceInTheLayerItMovedTo() {
        TestWorkspace workspace = new TestWorkspace(Renderer.holdingDocuments());
        workspace.putBucket("b", List.of(POLICY, READER, source("global")));
        assertThat(related(workspace)).containsExactly(new DocumentId("t/A/v1", "global", "source"));

        workspace.putBucket("b", List.of(POLICY, READER, source("site")));

        assertThat(related(workspace)).containsExactly(new DocumentId("t/A/v1", "site", "source"));
    }

    private static List<DocumentId> related(TestWorkspace workspace) {
        return workspace.head().problems(10).stream()
                .map(Problem::related)
                .flatMap(List::stream)
                .toList();
    }

    private static MapValue source(String layer) {
        return document("t/A/v1", "source").in(layer).data("{'a':1}");
    }
}
