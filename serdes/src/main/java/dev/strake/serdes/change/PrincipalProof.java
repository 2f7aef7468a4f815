package dev.strake.serdes.change;

import dev.strake.engine.tree.Hasher;
import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.bytes.ValueWriter;
import dev.strake.serdes.secret.SecretKeys;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * A proof of the authenticated principal that published a change over HTTP. Headers alone prove nothing, because every
 * client that may write to the topic can set them. So the service adds a message authentication code, computed with a
 * key of the installation that publishers do not have.
 *
 * <pre>
 *  principal         the name
 *  principal-proof   HMAC-SHA-256 of a statement: the change as a whole, on its terms, its time, and that name
 * </pre>
 *
 * <p>All records of a change have the same two headers. If another client copies a change and sends it again, the copy
 * has a known id, or its time is older than ids are remembered; then its proof is invalid.
 */
public final class PrincipalProof {

    private static final int VERSION = 1;

    /** Names known to access control are shorter, and contain no other characters. */
    private static final Pattern NAME = Pattern.compile("[!-~]{1,256}");

    /** The largest difference between the clocks of two instances. */
    private static final Duration SKEW = Duration.ofMinutes(5);

    private final String principal;
    private final String proof;

    private PrincipalProof(String principal, String proof) {
        this.principal = principal;
        this.proof = proof;
    }

    /**
     * Creates the proof for a change that is about to be published.
     *
     * @param envelope the envelope of any record of the change
     * @param payloads the payloads of all its records
     * @throws IllegalArgumentException if the name of the principal cannot be a header value
     */
    public static PrincipalProof of(
            SecretKeys keys, String principal, String topic, ChangeEnvelope envelope, List<Payload> payloads) {
        if (!NAME.matcher(principal).matches()) {
            throw new IllegalArgumentException("the name of the principal cannot be a header value");
        }
        byte[] code = keys.authenticate(statement(principal, topic, envelope, payloads));
        return new PrincipalProof(principal, HexFormat.of().formatHex(code));
    }

    /** Reads the proof from headers without verifying it; empty if one of the two headers is missing or malformed. */
    public static Optional<PrincipalProof> in(Headers headers) {
        Header principal = headers.lastHeader(HeaderNames.PRINCIPAL);
        Header proof = headers.lastHeader(HeaderNames.PRINCIPAL_PROOF);
        if (principal == null || principal.value() == null || proof == null || proof.value() == null) {
            return Optional.empty();
        }
        String name = new String(principal.value(), StandardCharsets.ISO_8859_1);
        return NAME.matcher(name).matches()
                ? Optional.of(new PrincipalProof(name, new String(proof.value(), StandardCharsets.ISO_8859_1)))
                : Optional.empty();
    }

    public void addTo(Headers headers) {
        headers.add(HeaderNames.PRINCIPAL, principal.getBytes(StandardCharsets.US_ASCII));
        headers.add(HeaderNames.PRINCIPAL_PROOF, proof.getBytes(StandardCharsets.US_ASCII));
    }

    /**
     * Verifies this proof and returns the principal; empty if the proof is not valid.
     *
     * @param payloads the payloads of all records of the change
     * @param now in milliseconds
     * @param remembered how long ids of changes are remembered
     */
    public Optional<String> verified(
            SecretKeys keys,
            String topic,
            ChangeEnvelope envelope,
            List<Payload> payloads,
            long now,
            Duration remembered) {
        if (!keys.areThere() || !isOfTime(envelope.carried().time(), Instant.ofEpochMilli(now), remembered)) {
            return Optional.empty();
        }
        byte[] expected = keys.authenticate(statement(principal, topic, envelope, payloads));
        boolean proven = MessageDigest.isEqual(
                HexFormat.of().formatHex(expected).getBytes(StandardCharsets.US_ASCII),
                proof.getBytes(StandardCharsets.ISO_8859_1));
        return proven ? Optional.of(principal) : Optional.empty();
    }

    private static boolean isOfTime(String time, Instant now, Duration remembered) {
        try {
            return time != null
                    && Instant.parse(time).isAfter(now.minus(remembered))
                    && Instant.parse(time).isBefore(now.plus(SKEW));
        } catch (DateTimeException e) {
            return false; // the service writes only times of this form
        }
    }

    /* Each text and each number is written with its length, so no two changes have the same statement. */
    private static byte[] statement(String principal, String topic, ChangeEnvelope envelope, List<Payload> payloads) {
        Terms terms = envelope.terms();
        ValueWriter statement = new ValueWriter(VERSION, 512)
                .text(principal)
                .text(topic)
                .text(envelope.workspace())
                .text(envelope.changeId())
                .text(envelope.typeText())
                .text(envelope.bucket())
                .text(envelope.format().name())
                .optionalText(envelope.carried().time())
                .flag(terms.dryRun())
                .optionalText(
                        terms.expectedRevision() == null
                                ? null
                                : terms.expectedRevision().toString())
                .text(terms.removals().toString())
                .flag(terms.asDeckhand())
                .optionalText(envelope.note().author())
                .optionalText(envelope.note().message())
                .number(payloads.size());
        for (Payload payload : payloads) {
            statement
                    .bytes(Hasher.sha256().digest(payload.value()))
                    .bytes(Hasher.sha256().digest(payload.origins()));
        }
        return statement.bytes();
    }

    @Override
    public String toString() {
        return "a claim to be " + principal;
    }
}
