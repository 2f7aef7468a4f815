package dev.strake.topology;

import static dev.strake.topology.TopologyHarness.POLICY;
import static dev.strake.topology.TopologyHarness.WORKSPACE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.keyset.Keyset;
import dev.strake.serdes.keyset.PublishingKey;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.secret.SealedData;
import dev.strake.serdes.secret.SecretsOutput;
import dev.strake.serdes.text.DocumentReader;
import dev.strake.serdes.text.Limits;
import dev.strake.serdes.text.ReadDocument;
import dev.strake.serdes.text.TextFormat;
import dev.strake.serdes.text.UnreadableTextException;
import dev.strake.topology.apply.Secrets;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Changes with sealed secrets, which only the service can decrypt. */
class SealedChangesTest {

    private static final String SITE = POLICY + """
            ---
            schema: deckhand/Passphrase/v1
            metadata: {schema: metadata/Document/v1, name: password, storagePolicy: encrypted, layeringDefinition: {layer: site}}
            data: s3cr3t-t0ken
            ---
            schema: example/Database/v1
            metadata:
              schema: metadata/Document/v1
              name: db
              storagePolicy: cleartext
              layeringDefinition: {layer: site}
              substitutions: [{src: {schema: deckhand/Passphrase/v1, name: password, path: .}, dest: {path: .password}}]
            data: {user: admin}
            """;

    private Keyset keys = Keyset.create();

    @AutoClose
    private TopologyHarness strake = new TopologyHarness(TopologySettings.of(1).withSecrets(new Secrets(() -> keys)));

    private static List<MapValue> documents(String yaml) {
        try {
            return new DocumentReader(Limits.DEFAULT)
                    .readDocuments(yaml.getBytes(StandardCharsets.UTF_8), TextFormat.YAML, "site").stream()
                            .map(ReadDocument::value)
                            .map(MapValue.class::cast)
                            .toList();
        } catch (UnreadableTextException e) {
            throw new AssertionError(e);
        }
    }

    private List<MapValue> sealed(String yaml) {
        PublishingKey key = keys.publishingKey();
        return documents(yaml).stream()
                .map(document -> SealedData.forService(document, WORKSPACE, key::seal))
                .toList();
    }

    private static String json(List<MapValue> documents) {
        List<Value> items = new ArrayList<>(documents);
        return JsonBytes.text(ListValue.of(items));
    }

    @Test
    void shouldOpenSealedPartsAndDryRuns() {
        List<MapValue> sealed = sealed(SITE);
        String[] part = {"ce_id", "x", "ce_type", ChangeType.BUCKET_PUT.text(), "part", "1/2"};
        Outcome first = strake.send(WORKSPACE, json(sealed.subList(0, 1)), part);
        part[5] = "2/2";
        Outcome whole = strake.send(WORKSPACE, json(sealed.subList(1, 3)), part);
        Outcome tried = strake.putBucket(json(sealed(SITE)), "dry-run", "true");

        assertThat(first.status()).isEqualTo(OutcomeStatus.PENDING);
        assertThat(whole.status()).isEqualTo(OutcomeStatus.RENDERED);
        assertThat(tried.status()).isEqualTo(OutcomeStatus.PLANNED);
        assertThat(tried.documents().changed()).isZero();
    }

    @Test
    void shouldRejectAChangeSealedWithAnUnknownKey() {
        String change = json(sealed(SITE));
        keys = Keyset.create();

        Outcome rejected = strake.putBucket(change);

        assertThat(rejected.status()).isEqualTo(OutcomeStatus.REJECTED);
        assertThat(rejected.problems()).singleElement().satisfies(problem -> {
            assertThat(problem.code()).isEqualTo(ProblemCode.SECRET_KEY_NOT_FOUND);
            assertThat(problem.document().name()).isEqualTo("password");
            assertThat(problem.path()).isEqualTo(".data");
            assertThat(problem.location()).isNotNull();
        });
        assertThat(strake.putBucket(json(sealed(SITE))).status()).isEqualTo(OutcomeStatus.RENDERED);
    }

    @Test
    void shouldRejectClearTextIfSealingIsRequired() {
        strake.close();
        strake = new TopologyHarness(
                TopologySettings.of(1).withSecrets(new Secrets(() -> keys, true, SecretsOutput.REDACTED, false)));

        Outcome clear = strake.putBucket(json(documents(SITE)));

        assertThat(clear.status()).isEqualTo(OutcomeStatus.REJECTED);
        assertThat(clear.problems())
                .extracting(problem -> problem.code())
                .containsExactly(ProblemCode.SECRET_NOT_SEALED);
        assertThat(strake.putBucket(json(sealed(SITE))).status()).isEqualTo(OutcomeStatus.RENDERED);
        assertThat(strake.send(ChangeType.ROLLBACK, "{revision: 1}").status()).isEqualTo(OutcomeStatus.UNCHANGED);
    }
}
