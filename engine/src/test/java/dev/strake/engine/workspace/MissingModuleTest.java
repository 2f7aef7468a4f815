package dev.strake.engine.workspace;

import static dev.strake.engine.TestDocument.document;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.TestDocument;
import dev.strake.engine.TestWorkspace;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.render.Renderer;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.workspace.Update.Status;
import org.junit.jupiter.api.Test;

/** Owners whose module is missing from the class path, as in this test. */
class MissingModuleTest {

    private static final MapValue POLICY = TestDocument.layers("site");
    private static final DocumentId STACK = new DocumentId("heat/Stack/v1", "site", "s");

    private final TestWorkspace workspace = new TestWorkspace(Renderer.holdingDocuments());

    @Test
    void shouldNameTheMissingModuleOfAnOwnerAndRenderAllOtherDocuments() {
        Update update = workspace.put(
                "b",
                POLICY,
                document("heat/Stack/v1", "s").data("{'template':'t.yaml'}"),
                document("heat/Template/v1", "t.yaml").data("{'heat_template_version':'rocky'}"));

        assertThat(update.status()).isEqualTo(Status.PARTIAL);
        assertThat(workspace.published().keySet())
                .contains(new DocumentKey("heat/Template/v1", "t.yaml"))
                .doesNotContain(STACK.key());
        Problem problem = workspace.head().evaluation(STACK).problem();
        assertThat(problem.code()).isEqualTo(ProblemCode.DERIVATION_FAILED);
        assertThat(problem.path()).isEqualTo(".schema");
        assertThat(problem.message()).contains("needs the module heat");
        assertThat(problem.hint()).contains("strake-heat");
    }

    @Test
    void shouldLetTheWorkspaceRecoverWhenTheOwnerIsDeleted() {
        workspace.put("b", POLICY, document("heat/Stack/v1", "s").data("{'template':'t.yaml'}"));

        assertThat(workspace.delete("b", STACK).status()).isEqualTo(Status.RENDERED);
    }
}
