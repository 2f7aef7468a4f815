package dev.strake.remote.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.strake.client.RenderedUpdate;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.SecretPlaces;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.secret.DoesNotOpenException;
import dev.strake.serdes.secret.SealedData;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Masks, references and ciphertexts are never applied in place of secrets. */
class UsableSecretsTest {

    private static final DocumentKey A = new DocumentKey("example/Thing/v1", "a");

    /** A key that does not encrypt, and accepts one document only. */
    private static final SealedData.Open KEY = (encrypted, place) -> {
        if (!new String(place, StandardCharsets.UTF_8).contains("\u0001a\u0000")) { // contains length and name
            throw new DoesNotOpenException();
        }
        return encrypted;
    };

    private static String sealed(String data) {
        byte[] clear = ("{\"data\":" + data + "}").getBytes(StandardCharsets.UTF_8);
        return "{\"$sealed\":\"" + Base64.getEncoder().encodeToString(clear) + "\"}";
    }

    private static Value opened(RenderedUpdate update) throws UnusableSecretsException {
        RenderedUpdate usable = Applier.usable(update, Optional.of(KEY));
        return usable.put().get(A).document().orElseThrow().get("data");
    }

    private static void assertRefused(RenderedUpdate update, Optional<SealedData.Open> keys, String why) {
        assertThatThrownBy(() -> Applier.usable(update, keys))
                .isInstanceOf(UnusableSecretsException.class)
                .hasMessageContaining(why);
    }

    @Test
    void shouldPassClearDocumentsThrough() throws Exception {
        RenderedUpdate update =
                new Workspace().put("a", "1").secret().put("b", "2").whole();

        assertThat(Applier.usable(update, Optional.empty())).isSameAs(update);
    }

    @Test
    void shouldRefuseMasks() {
        RenderedUpdate update = new Workspace()
                .put("a", "1")
                .secret("redacted")
                .put("b", "\"****** 6f1c22ab90d1e0f3\"")
                .whole();

        for (Optional<SealedData.Open> keys : List.of(Optional.<SealedData.Open>empty(), Optional.of(KEY))) {
            assertRefused(update, keys, "example/Thing/v1/b has secrets that are published without their values");
        }
    }

    @Test
    void shouldRefuseReferences() {
        RenderedUpdate update = new Workspace()
                .secret("references")
                .put("b", "\"/workspaces/w/rendered?schema=s&name=b&cleartext-secrets=true#6f1c22ab90d1e0f3\"")
                .whole();

        assertRefused(update, Optional.of(KEY), "cannot be applied");
    }

    @Test
    void shouldDecryptDocumentsAndRefuseThemWithoutAKey() throws Exception {
        RenderedUpdate update = new Workspace()
                .secret("encrypted")
                .put("a", sealed("\"token\""))
                .whole();

        assertThat(opened(update)).isEqualTo(new Text("token"));
        assertRefused(update, Optional.empty(), "give --secrets-keyset");
    }

    @Test
    void shouldDecryptPlacesOfADocumentAndRefuseItWithoutAKey() throws Exception {
        RenderedUpdate update = new Workspace()
                .secret("encrypted", "/env/0/value", "/tls")
                .put(
                        "a",
                        "{\"env\":[{\"value\":%s}],\"tls\":%s,\"own\":{\"$sealed\":\"x\"}}"
                                .formatted(sealed("\"token\""), sealed("{\"key\":1}")))
                .whole();

        Value opened = opened(update);

        assertThat(JsonBytes.text(opened))
                .isEqualTo("{\"env\":[{\"value\":\"token\"}],\"tls\":{\"key\":1},\"own\":{\"$sealed\":\"x\"}}");
        assertThat(SecretPlaces.of(opened).pointers().items())
                .containsExactly(new Text("/env/0/value"), new Text("/tls"));
        assertRefused(update, Optional.empty(), "give --secrets-keyset");
    }

    @Test
    void shouldRefuseADocumentWithOneMask() {
        for (String form : List.of("redacted", "references")) {
            RenderedUpdate update = new Workspace()
                    .secret(form, "/b")
                    .put("a", "{\"a\":1,\"b\":\"hidden\"}")
                    .whole();

            assertRefused(update, Optional.of(KEY), "published without their values");
        }
    }

    @Test
    void shouldReportADecryptionFailure() {
        RenderedUpdate update =
                new Workspace().secret("encrypted").put("b", sealed("1")).whole();

        assertRefused(update, Optional.of(KEY), "cannot be decrypted");
    }
}
