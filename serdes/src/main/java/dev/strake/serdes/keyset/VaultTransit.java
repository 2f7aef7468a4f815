package dev.strake.serdes.keyset;

import com.google.crypto.tink.Aead;
import com.google.crypto.tink.KmsClient;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Encrypts with a key that never leaves HashiCorp Vault, using its transit engine:
 *
 * <pre>
 *  hcvault://HOST:PORT/MOUNT/keys/NAME        over TLS
 *  hcvault+http://HOST:PORT/MOUNT/keys/NAME   without, for an agent on this machine
 * </pre>
 *
 * <p>The token is in {@code VAULT_TOKEN}, or in the file that {@code VAULT_TOKEN_FILE} names, where an agent of Vault
 * renews it. Vault is called only to read or write a keyset, never while documents are processed.
 *
 * @see <a href="https://developer.hashicorp.com/vault/api-docs/secret/transit">Vault's API for transit</a>
 */
public final class VaultTransit implements KmsClient {

    private static final Pattern KEY =
            Pattern.compile("hcvault(\\+http)?://([A-Za-z0-9.:_\\[\\]-]+)/([A-Za-z0-9._/-]+)/keys/([A-Za-z0-9._-]+)");
    private static final String TOKEN_FILE = "VAULT_TOKEN_FILE";
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int MOST_BYTES = 1 << 20;

    private final Map<String, String> environment;

    /** Uses the token of the environment. */
    public VaultTransit() {
        this(System.getenv());
    }

    VaultTransit(Map<String, String> environment) {
        this.environment = environment;
    }

    @Override
    public boolean doesSupport(String uri) {
        return uri.startsWith("hcvault://") || uri.startsWith("hcvault+http://");
    }

    /** Uses the token in a file. */
    @Override
    public KmsClient withCredentials(String file) {
        return new VaultTransit(Map.of(TOKEN_FILE, file));
    }

    @Override
    public KmsClient withDefaultCredentials() {
        return this;
    }

    @Override
    public Aead getAead(String uri) throws GeneralSecurityException {
        Matcher parts = KEY.matcher(uri);
        if (!parts.matches()) {
            throw new GeneralSecurityException("it has to have the form hcvault://HOST:PORT/MOUNT/keys/NAME");
        }
        String engine = (parts.group(1) == null ? "https://" : "http://") + parts.group(2) + "/v1/" + parts.group(3);
        return new Key(engine, parts.group(4), token());
    }

    private String token() throws GeneralSecurityException {
        String given = environment.get("VAULT_TOKEN");
        if (given != null) {
            return given.strip();
        }
        String file = environment.get(TOKEN_FILE);
        if (file == null) {
            throw new GeneralSecurityException("it needs a token; set VAULT_TOKEN, or VAULT_TOKEN_FILE to a file");
        }
        try {
            return Files.readString(Path.of(file)).strip();
        } catch (IOException e) {
            throw new GeneralSecurityException(
                    "the file of VAULT_TOKEN_FILE cannot be read ("
                            + e.getClass().getSimpleName() + ")",
                    e);
        }
    }

    /** A key of the transit engine. */
    private static final class Key implements Aead {

        private final HttpClient http =
                HttpClient.newBuilder().connectTimeout(PATIENCE).build();
        private final String engine;
        private final String name;
        private final String token;

        Key(String engine, String name, String token) {
            this.engine = engine;
            this.name = name;
            this.token = token;
        }

        @Override
        public byte[] encrypt(byte[] clear, byte[] place) throws GeneralSecurityException {
            return ask("encrypt", "plaintext", base64(clear), place, "ciphertext")
                    .getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public byte[] decrypt(byte[] sealed, byte[] place) throws GeneralSecurityException {
            String clear = ask("decrypt", "ciphertext", new String(sealed, StandardCharsets.UTF_8), place, "plaintext");
            try {
                return Base64.getDecoder().decode(clear);
            } catch (IllegalArgumentException e) {
                throw new GeneralSecurityException("Vault's response is not base64");
            }
        }

        private static String base64(byte[] bytes) {
            return Base64.getEncoder().encodeToString(bytes);
        }

        private String ask(String verb, String name, String value, byte[] place, String wanted)
                throws GeneralSecurityException {
            MapValue question = MapValue.builder()
                    .put(name, new Text(value))
                    .put("associated_data", new Text(base64(place)))
                    .build();
            MapValue answer = answer(verb, JsonBytes.of(question));
            if (answer.get("data") instanceof MapValue data && data.get(wanted) instanceof Text found) {
                return found.value();
            }
            throw new GeneralSecurityException("Vault's response has no " + wanted);
        }

        /* Messages do not quote responses, which may contain keys. */
        private MapValue answer(String verb, byte[] question) throws GeneralSecurityException {
            HttpRequest request = HttpRequest.newBuilder(URI.create(engine + "/" + verb + "/" + name))
                    .timeout(PATIENCE)
                    .header("X-Vault-Token", token)
                    .header("X-Vault-Request", "true")
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofByteArray(question))
                    .build();
            try {
                HttpResponse<InputStream> response = http.send(request, HttpResponse.BodyHandlers.ofInputStream());
                byte[] body;
                try (InputStream in = response.body()) {
                    body = in.readNBytes(MOST_BYTES);
                }
                if (response.statusCode() != 200) {
                    throw new GeneralSecurityException("Vault responded with status " + response.statusCode()
                            + (response.statusCode() == 403 ? ": the token may not " + verb + " with this key" : ""));
                }
                Value answer = JsonReader.read(body);
                if (answer instanceof MapValue map) {
                    return map;
                }
                throw new GeneralSecurityException("Vault's response is not a JSON object");
            } catch (IOException e) {
                throw new GeneralSecurityException(
                        "Vault cannot be reached (" + e.getClass().getSimpleName() + ")", e);
            } catch (IllegalArgumentException e) {
                throw new GeneralSecurityException("Vault's response is not JSON");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new GeneralSecurityException("interrupted while waiting for Vault", e);
            }
        }
    }
}
