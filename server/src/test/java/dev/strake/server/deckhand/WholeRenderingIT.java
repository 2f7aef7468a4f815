package dev.strake.server.deckhand;

import static dev.strake.server.Installation.POLICY;
import static dev.strake.server.Installation.document;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.serdes.keyset.Keyset;
import dev.strake.serdes.keyset.KeysetFile;
import dev.strake.server.Installation;
import dev.strake.server.settings.Catalogue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rendered documents are complete, whatever an operator has configured or lost. */
class WholeRenderingIT {

    private static final String PASSWORD = """
            ---
            schema: deckhand/Passphrase/v1
            metadata: {schema: metadata/Document/v1, name: password, storagePolicy: encrypted, layeringDefinition: {layer: site}}
            data: sw0rdfish
            """;

    private static final String NOBODY = """
            ---
            schema: example/Database/v1
            metadata:
              schema: metadata/Document/v1
              name: database
              storagePolicy: cleartext
              layeringDefinition: {layer: site}
              substitutions: [{src: {schema: example/Nobody/v1, name: nobody, path: .}, dest: {path: .x}}]
            data: {}
            """;

    @TempDir
    Path directory;

    private static Answer ask(Installation strake, String method, String path, String body) throws Exception {
        return Answer.of(strake, null, method, "/deckhand/site/api/v1.0" + path, body);
    }

    @Test
    void shouldRefuseToRenderAPartialRevision() throws Exception {
        try (Installation strake =
                new Installation("deckhand-part", directory, 1).with(Catalogue.ON_PROBLEM, "hold-document")) {
            strake.startServer();
            ask(strake, "PUT", "/buckets/b/documents", POLICY + document("web", 1));
            ask(strake, "PUT", "/buckets/b/documents", POLICY + document("web", 2) + NOBODY);
            Answer rendered = ask(strake, "GET", "/revisions/2/rendered-documents", "");
            assertThat(rendered.status()).isEqualTo(409);
            assertThat(rendered.text()).contains("errorType: SubstitutionSourceNotFound");
        }
    }

    @Test
    void shouldNeverShowAPlaceholderForAMissingKey() throws Exception {
        Path keyset = directory.resolve("keyset");
        new KeysetFile(Keyset.create(), Optional.empty()).create(keyset);
        Path data = directory.resolve("data");
        try (Installation strake =
                new Installation("deckhand-locked", data, 1).with(Catalogue.SECRETS_KEYSET, keyset)) {
            strake.startServer();
            ask(strake, "PUT", "/buckets/b/documents", POLICY + PASSWORD + document("web", 1));
            assertThat(ask(strake, "GET", "/revisions/1/rendered-documents", "").text())
                    .as("without access control everybody may see all")
                    .contains("sw0rdfish");
        }
        Files.delete(keyset);
        new KeysetFile(Keyset.create(), Optional.empty()).create(keyset);
        try (Installation strake =
                new Installation("deckhand-locked", data, 1).with(Catalogue.SECRETS_KEYSET, keyset)) {
            strake.startServer();
            for (String path : List.of("rendered-documents", "documents?cleartext-secrets=true")) {
                Answer locked = ask(strake, "GET", "/revisions/1/" + path, "");
                assertThat(locked.status()).as(path).isEqualTo(409);
                assertThat(locked.text())
                        .contains("errorType: SecretKeyNotFound", "name: password")
                        .doesNotContain("******");
            }
            for (String other : List.of("", "?cleartext-secrets=true&status.bucket=other")) {
                assertThat(ask(strake, "GET", "/revisions/1/documents" + other, "")
                                .status())
                        .as("it is masked anyway, or not asked for")
                        .isEqualTo(200);
            }
        }
    }
}
