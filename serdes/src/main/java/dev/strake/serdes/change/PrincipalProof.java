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
 * Who published a change over HTTP, proven to the service, and by the service to whoever reads the topic: headers alone
 * prove nothing, since all who may write to the topic can write them. So the service adds a code of authentication, made
 * with a key of the installation that publishers do not have.
 *
 * <pre>
 *  principal         the name
 *  principal-proof   HMAC-SHA-256 of a statement: the change as a whole, on its terms, its time, and that name
 * </pre>
 *
 * <p>Each record of a change has the same two headers. A change that is sent again by somebody else is either known by its
 * id, or older than ids are remembered: then its proof does not count any more.
 */
public final class PrincipalProof {

    private static final int VERSION = 1;

    /** The names that access control knows are shorter, and have no other characters. */
    private static final Pattern NAME = Pattern.compile("[!-~]{1,256}");

    /** Clocks of instances may differ by as much. */
    private static final Duration SKEW = Duration.ofMinutes(5);

    private final String principal;
    private final String proof;

    private PrincipalProof(String principal, String proof) {
        this.principal = principal;
        this.proof = proof;
    }

    /**
     * The proof of a change that is about to be published.
     *
     * @param envelope of any of its records
     * @param payloads of all of them
     * @throws IllegalArgumentException if the principal has no name that headers can have
     */
    public static PrincipalProof of(
            SecretKeys keys, String principal, String topic, ChangeEnvelope envelope, List<Payload> payloads) {
        if (!NAME.matcher(principal).matches()) {
            throw new IllegalArgumentException("no name of a principal");
        }
        byte[] code = keys.authenticate(statement(principal, topic, envelope, payloads));
        return new PrincipalProof(principal, HexFormat.of().formatHex(code));
    }

    /** What a record claims; empty if it has not both headers. */
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
     * The principal, if it is proven.
     *
     * @param payloads of all records of the change
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
            return false; // the service writes times of this form
        }
    }

    /* Each text and each number says how long it is, so no two changes have the same statement. */
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
