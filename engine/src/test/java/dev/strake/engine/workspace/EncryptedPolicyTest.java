package dev.strake.engine.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.TestDocument;
import dev.strake.engine.TestWorkspace;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.workspace.Update.Status;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Documents with {@code storagePolicy: encrypted} in an installation without encryption. */
class EncryptedPolicyTest {

    private static final MapValue POLICY = TestDocument.layers("site");

    private final TestWorkspace workspace = new TestWorkspace();

    private static MapValue password(String name, String policy, int data) {
        return TestDocument.document("a/Password/v1", name).policy(policy).data("" + data);
    }

    @Test
    void shouldWarnThatNothingIsEncryptedButRender() {
        Update update = workspace.put("b", POLICY, password("a", "encrypted", 1), password("b", "cleartext", 1));

        assertThat(update.status()).isEqualTo(Status.RENDERED);
        Problem warning = update.warnings().get(0);
        assertThat(warning.code()).isEqualTo(ProblemCode.NOT_ENCRYPTED);
        assertThat(warning.document().name()).isEqualTo("a");
        assertThat(warning.message()).startsWith("has storagePolicy: encrypted, but there is no keyset");
    }

    @Test
    void shouldWarnOncePerChangeAndOnlyOfItsDocuments() {
        MapValue[] many = IntStream.range(0, 12)
                .mapToObj(i -> password("p" + i, "encrypted", i))
                .toArray(MapValue[]::new);
        workspace.put("b", POLICY);

        Problem warning = workspace.put("b", many).warnings().get(0);
        assertThat(warning.message()).startsWith("12 documents have");
        assertThat(warning.related()).hasSize(10);
        assertThat(workspace.put("b", password("p", "cleartext", 1)).warnings()).isEmpty();
        assertThat(workspace.put("b", password("p3", "encrypted", 9)).warnings())
                .hasSize(1);
        assertThat(workspace.put("b", password("p3", "cleartext", 9)).warnings())
                .isEmpty();
    }
}
