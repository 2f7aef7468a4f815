package dev.strake.serdes.keyset;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.change.ChangeEnvelope;
import dev.strake.serdes.change.Payload;
import dev.strake.serdes.change.PrincipalProof;
import dev.strake.serdes.secret.Purpose;
import dev.strake.serdes.secret.SecretKeys;
import dev.strake.serdes.text.Limits;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which parts of a change the proof covers, and that no change of them verifies. */
class PrincipalProofTest {

    private static final Keyset KEYS = Keyset.create();
    private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
    private static final Duration WEEK = Duration.ofDays(7);
    private static final List<Payload> BODY = List.of(payload("a", ""), payload("b", "o"));

    private final Map<String, String> headers = new LinkedHashMap<>(Map.of(
            HeaderNames.CE_ID, "id",
            HeaderNames.CE_TYPE, "dev.strake.bucket.put",
            HeaderNames.CE_TIME, NOW.toString(),
            HeaderNames.BUCKET, "b",
            HeaderNames.AUTHOR, "Ada",
            HeaderNames.MESSAGE, "why",
            HeaderNames.EXPECTED_REVISION, "3",
            HeaderNames.MAX_REMOVALS, "10",
            HeaderNames.CONTENT_TYPE, "application/json",
            HeaderNames.PART, "1/2"));

    private static Payload payload(String value, String origins) {
        return Payload.of(value.getBytes(UTF_8), origins.getBytes(UTF_8));
    }

    private ChangeEnvelope envelope(String workspace) {
        Headers all = new RecordHeaders();
        headers.forEach((name, text) -> all.add(name, text.getBytes(UTF_8)));
        ChangeEnvelope.Reading reading = ChangeEnvelope.read(workspace, all, "t", 0, 0, 0, Limits.DEFAULT);
        assertThat(reading.problems()).isEmpty();
        return reading.envelope();
    }

    private Headers proven(String principal) {
        Headers proof = new RecordHeaders();
        PrincipalProof.of(KEYS, principal, "topic", envelope("w"), BODY).addTo(proof);
        return proof;
    }

    private Optional<String> verified(Headers claim) {
        return verified(KEYS, claim, "topic", "w", BODY, NOW);
    }

    private Optional<String> verified(
            SecretKeys keys, Headers claim, String topic, String workspace, List<Payload> body, Instant now) {
        return PrincipalProof.in(claim)
                .flatMap(proof -> proof.verified(keys, topic, envelope(workspace), body, now.toEpochMilli(), WEEK));
    }

    @Test
    void shouldProveWhoPublishedWithEveryPartAndAfterARotation() {
        Headers proof = proven("oidc:alice@example.org");
        assertThat(verified(proof)).hasValue("oidc:alice@example.org");
        headers.put(HeaderNames.PART, "2/2");
        assertThat(verified(proof)).hasValue("oidc:alice@example.org");
        headers.put(HeaderNames.TRACEPARENT, "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
        assertThat(verified(KEYS.rotated(Purpose.STORAGE), proof, "topic", "w", BODY, NOW))
                .hasValue("oidc:alice@example.org");
    }

    @ParameterizedTest
    @CsvSource({
        "ce_id, other",
        "ce_type, dev.strake.documents.put",
        "ce_time, 2026-03-01T10:00:01Z",
        "bucket, c",
        "author, Eve",
        "message, because",
        "expected-revision, 4",
        "max-removals, 11",
        "content-type, application/yaml",
        "dry-run, true",
        "as-deckhand, true"
    })
    void shouldProveNothingOfAChangeWithAnotherHeader(String name, String text) {
        Headers proof = proven("alice");
        String before = headers.put(name, text);
        assertThat(verified(proof)).isEmpty();
        // Parts need an id to be assembled. The default type is the type of the proven change.
        if (before != null && !name.equals(HeaderNames.CE_ID) && !name.equals(HeaderNames.CE_TYPE)) {
            headers.remove(name);
            assertThat(verified(proof)).isEmpty();
        }
    }

    @Test
    void shouldProveNothingOfAnotherBodyWorkspaceTopicOrKeyset() {
        Headers proof = proven("alice");
        for (List<Payload> other : List.of(
                List.of(payload("a", "")),
                List.of(payload("b", "o"), payload("a", "")),
                List.of(payload("a", ""), payload("b", "")),
                List.of(payload("a", ""), payload("bo", "")),
                List.of(payload("", ""), payload("ab", "o")),
                List.of(payload("a", ""), payload("b", "o"), payload("", "")))) {
            assertThat(verified(KEYS, proof, "topic", "w", other, NOW)).isEmpty();
        }
        assertThat(verified(KEYS, proof, "topic", "v", BODY, NOW)).isEmpty();
        assertThat(verified(KEYS, proof, "other", "w", BODY, NOW)).isEmpty();
        assertThat(verified(Keyset.create(), proof, "topic", "w", BODY, NOW)).isEmpty();
        assertThat(verified(SecretKeys.NONE, proof, "topic", "w", BODY, NOW)).isEmpty();
    }

    @Test
    void shouldProveNothingOnceItsIdMayBeForgottenOrBeforeItsTime() {
        Headers proof = proven("alice");
        assertThat(verified(KEYS, proof, "topic", "w", BODY, NOW.plus(WEEK).minusSeconds(1)))
                .hasValue("alice");
        assertThat(verified(KEYS, proof, "topic", "w", BODY, NOW.plus(WEEK))).isEmpty();
        assertThat(verified(KEYS, proof, "topic", "w", BODY, NOW.minusSeconds(301)))
                .isEmpty();
        headers.put(HeaderNames.CE_TIME, "yesterday");
        assertThat(verified(proven("alice"))).isEmpty();
        headers.remove(HeaderNames.CE_TIME);
        assertThat(verified(proven("alice"))).isEmpty();
    }

    @Test
    void shouldNotProveAnotherPrincipal() {
        Headers proof = proven("alice");
        proof.add(HeaderNames.PRINCIPAL, "root".getBytes(UTF_8)); // the last one is used
        assertThat(verified(proof)).isEmpty();
        Headers alone = new RecordHeaders().add(HeaderNames.PRINCIPAL, "root".getBytes(UTF_8));
        assertThat(verified(alone)).isEmpty();
        for (String code : List.of("", "0".repeat(64), "ü", "x".repeat(100_000))) {
            assertThat(verified(new RecordHeaders()
                            .add(HeaderNames.PRINCIPAL, "root".getBytes(UTF_8))
                            .add(HeaderNames.PRINCIPAL_PROOF, code.getBytes(UTF_8))))
                    .isEmpty();
        }
        assertThat(verified(new RecordHeaders()
                        .add(HeaderNames.PRINCIPAL, (byte[]) null)
                        .add(HeaderNames.PRINCIPAL_PROOF, (byte[]) null)))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a\nb", "ä"})
    void shouldRejectAmbiguousNames(String name) {
        assertThatThrownBy(() -> proven(name)).isInstanceOf(IllegalArgumentException.class);
        assertThat(verified(new RecordHeaders()
                        .add(HeaderNames.PRINCIPAL, name.getBytes(UTF_8))
                        .add(HeaderNames.PRINCIPAL_PROOF, "00".repeat(32).getBytes(UTF_8))))
                .isEmpty();
    }
}
