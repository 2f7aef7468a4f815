package dev.strake.serdes.keyset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.crypto.tink.Aead;
import com.google.crypto.tink.KmsClient;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against a stand-in that answers as the documentation of Vault's transit engine says. */
class VaultTransitTest {

    private static final byte[] CLEAR = bytes("a keyset");
    private static final byte[] PLACE = bytes("strake keyset storage");

    @TempDir
    private Path folder;

    private HttpServer vault;
    private String uri;

    @BeforeEach
    void setUp() throws IOException {
        vault = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        vault.createContext("/v1/secret/transit/encrypt/strake", this::encrypt);
        vault.createContext("/v1/secret/transit/decrypt/strake", this::decrypt);
        vault.start();
        uri = "hcvault+http://127.0.0.1:" + vault.getAddress().getPort() + "/secret/transit/keys/strake";
    }

    @AfterEach
    void tearDown() {
        vault.stop(0);
    }

    /* Its "ciphertext" is the plaintext with its associated data; what counts here is what goes over the wire. */
    private void encrypt(HttpExchange exchange) throws IOException {
        MapValue question = question(exchange);
        answer(
                exchange,
                "ciphertext",
                "vault:v1:" + text(question, "plaintext") + ":" + text(question, "associated_data"));
    }

    private void decrypt(HttpExchange exchange) throws IOException {
        MapValue question = question(exchange);
        String[] parts = text(question, "ciphertext").split(":", -1);
        if (parts.length == 4 && parts[3].equals(text(question, "associated_data"))) {
            answer(exchange, "plaintext", parts[2]);
        } else {
            exchange.sendResponseHeaders(400, -1);
        }
    }

    private static MapValue question(HttpExchange exchange) throws IOException {
        return (MapValue) JsonReader.read(exchange.getRequestBody().readAllBytes());
    }

    private static String text(MapValue map, String key) {
        return ((Text) map.get(key)).value();
    }

    private static void answer(HttpExchange exchange, String name, String value) throws IOException {
        if (!"s.token".equals(exchange.getRequestHeaders().getFirst("X-Vault-Token"))) {
            exchange.sendResponseHeaders(403, -1);
            return;
        }
        byte[] body = JsonBytes.of(MapValue.of("data", MapValue.of(name, new Text(value))));
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Test
    void shouldEncryptWithAKeyThatStaysInVault() throws Exception {
        Aead key = with("s.token").getAead(uri);

        byte[] sealed = key.encrypt(CLEAR, PLACE);

        assertThat(new String(sealed, StandardCharsets.UTF_8))
                .isEqualTo("vault:v1:" + base64(CLEAR) + ":" + base64(PLACE));
        assertThat(key.decrypt(sealed, PLACE)).isEqualTo(CLEAR);
        assertThatExceptionOfType(GeneralSecurityException.class)
                .isThrownBy(() -> key.decrypt(sealed, bytes("strake keyset output")))
                .withMessageContaining("400");
    }

    @Test
    void shouldReadTheTokenFromAFileThatAnAgentRenews() throws Exception {
        Path token = Files.writeString(folder.resolve("token"), "s.token\n");
        KmsClient client = new VaultTransit(Map.of("VAULT_TOKEN_FILE", token.toString()));

        Aead key = client.withDefaultCredentials().getAead(uri);

        assertThat(key.decrypt(key.encrypt(CLEAR, PLACE), PLACE)).isEqualTo(CLEAR);
        assertThat(client.withCredentials(token.toString()).getAead(uri).encrypt(CLEAR, PLACE))
                .isNotEmpty();
    }

    @Test
    void shouldReportATokenWithoutPermission() throws Exception {
        Aead key = with("s.other").getAead(uri);

        assertThatExceptionOfType(GeneralSecurityException.class)
                .isThrownBy(() -> key.encrypt(CLEAR, PLACE))
                .withMessageContaining("may not encrypt")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("s.other"));
    }

    @Test
    void shouldReportAMissingTokenKeyOrServer() {
        assertThatExceptionOfType(GeneralSecurityException.class)
                .isThrownBy(() -> new VaultTransit(Map.of()).getAead(uri))
                .withMessageContaining("VAULT_TOKEN");
        assertThatExceptionOfType(GeneralSecurityException.class)
                .isThrownBy(() -> with("s.token").getAead("hcvault://vault:8200/strake"))
                .withMessageContaining("/keys/");
        vault.stop(0);
        assertThatExceptionOfType(GeneralSecurityException.class)
                .isThrownBy(() -> with("s.token").getAead(uri).encrypt(CLEAR, PLACE))
                .withMessageContaining("cannot be reached");
    }

    @Test
    void shouldSupportOnlyItsOwnUris() {
        assertThat(with("t").doesSupport("hcvault://vault:8200/transit/keys/strake"))
                .isTrue();
        assertThat(with("t").doesSupport(uri)).isTrue();
        assertThat(with("t").doesSupport("aws-kms://arn")).isFalse();
    }

    private static VaultTransit with(String token) {
        return new VaultTransit(Map.of("VAULT_TOKEN", token));
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
