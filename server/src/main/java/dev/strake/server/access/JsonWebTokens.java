package dev.strake.server.access;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.BadJWTException;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import com.nimbusds.jwt.proc.ExpiredJWTException;
import dev.strake.client.MisconfiguredException;
import dev.strake.client.tls.TrustedCertificates;
import dev.strake.server.access.AccessControl.Allowed;
import dev.strake.server.access.AccessControl.Unauthenticated;
import dev.strake.server.access.AccessControl.Undecided;
import dev.strake.server.access.AccessControl.Verdict;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import dev.strake.server.settings.WatchedFiles;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;

/**
 * Validates tokens signed by an issuer (JWT, RFC 7519, as in OpenID Connect and OAuth 2.0) and finds their principals.
 * The library checks signature, times, issuer and audience. Only public-key algorithms are accepted.
 */
final class JsonWebTokens implements AutoCloseable {

    /** Prefix of principals from the issuer. It keeps them apart from principals of the token file. */
    static final String PREFIX = "oidc:";

    private static final Set<JWSAlgorithm> ALGORITHMS = Set.of(
            JWSAlgorithm.RS256,
            JWSAlgorithm.RS384,
            JWSAlgorithm.RS512,
            JWSAlgorithm.PS256,
            JWSAlgorithm.PS384,
            JWSAlgorithm.PS512,
            JWSAlgorithm.ES256,
            JWSAlgorithm.ES384,
            JWSAlgorithm.ES512);

    private static final Undecided FETCHING =
            new Undecided("KeysComing", "The keys of the issuer are being fetched. Try again in a moment.");

    private static final int SKEW_SECONDS = 60;
    private static final Pattern NAME = Pattern.compile("[!-~]{1,128}");

    private final IssuerKeys keys;
    private final WatchedFiles<GroupFile> groups;
    private final String principalClaim;
    private final String groupsClaim;
    private final DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();

    private JsonWebTokens(
            IssuerKeys keys,
            WatchedFiles<GroupFile> groups,
            String issuer,
            String audience,
            String principalClaim,
            String groupsClaim) {
        this.keys = keys;
        this.groups = groups;
        this.principalClaim = principalClaim;
        this.groupsClaim = groupsClaim;
        processor.setJWSKeySelector(new JWSVerificationKeySelector<>(ALGORITHMS, keys));
        processor.setJWSTypeVerifier(new DefaultJOSEObjectTypeVerifier<>(
                JOSEObjectType.JWT, new JOSEObjectType("at+jwt"), new JOSEObjectType("application/at+jwt"), null));
        DefaultJWTClaimsVerifier<SecurityContext> claims = new DefaultJWTClaimsVerifier<>(
                audience, new JWTClaimsSet.Builder().issuer(issuer).build(), Set.of("exp"));
        claims.setMaxClockSkew(SKEW_SECONDS);
        processor.setJWTClaimsSetVerifier(claims);
    }

    /**
     * Creates the validator from the settings. Empty if no issuer is configured.
     *
     * @throws MisconfiguredException if only some of the settings are present, or if the group file cannot be used
     */
    static Optional<JsonWebTokens> of(Settings settings) {
        return of(settings, Duration.ofSeconds(10));
    }

    static Optional<JsonWebTokens> of(Settings settings, Duration atMostEvery) {
        Optional<String> issuer = settings.get(Catalogue.JWT_ISSUER);
        Optional<String> audience = settings.get(Catalogue.JWT_AUDIENCE);
        Optional<Path> file = settings.get(Catalogue.JWT_GROUPS);
        if (issuer.isEmpty() && audience.isEmpty() && file.isEmpty()) {
            return Optional.empty();
        }
        if (issuer.isEmpty() || audience.isEmpty() || file.isEmpty()) {
            throw new MisconfiguredException("%s, %s and %s belong together: set all three of them, or none."
                    .formatted(
                            Catalogue.JWT_ISSUER.name(), Catalogue.JWT_AUDIENCE.name(), Catalogue.JWT_GROUPS.name()));
        }
        if (!IssuerKeys.isSafe(issuer.get())) {
            throw new MisconfiguredException(
                    "%s has to begin with https://, because it decides which tokens are valid. http:// is allowed only for this machine."
                            .formatted(Catalogue.JWT_ISSUER.name()));
        }
        Optional<SSLContext> trusted = settings.get(Catalogue.JWT_CA).map(TrustedCertificates::context);
        WatchedFiles<GroupFile> groups = new WatchedFiles<>(
                Catalogue.JWT_GROUPS, List.of(file.get()), contents -> GroupFile.read(contents.get(file.get())));
        return Optional.of(new JsonWebTokens(
                new IssuerKeys(issuer.get(), trusted, atMostEvery),
                groups,
                issuer.get(),
                audience.get(),
                settings.get(Catalogue.JWT_PRINCIPAL_CLAIM),
                settings.get(Catalogue.JWT_GROUPS_CLAIM)));
    }

    static boolean isOne(String token) {
        int first = token.indexOf('.');
        return first > 0 && token.indexOf('.', first + 1) > 0;
    }

    /** Whether the token names its issuer. Tokens of Keystone do not. */
    static boolean namesIssuer(String token) {
        try {
            return SignedJWT.parse(token).getJWTClaimsSet().getIssuer() != null;
        } catch (ParseException | RuntimeException | StackOverflowError e) {
            return false;
        }
    }

    /** Validates a token and finds its principal. Never blocks. Messages contain no part of the token. */
    Verdict judge(String token) {
        try {
            SignedJWT signed = SignedJWT.parse(token);
            if (!ALGORITHMS.contains(signed.getHeader().getAlgorithm())) {
                return refused(
                        "The token's signature algorithm is not accepted. Sign it with RS, PS or ES 256 to 512.");
            }
            String key = signed.getHeader().getKeyID();
            if (keys.isEmpty()) {
                keys.refresh();
                return FETCHING;
            } else if (key != null && !keys.has(key) && keys.refresh()) {
                return FETCHING;
            }
            return principal(processor.process(signed, null));
        } catch (ExpiredJWTException e) {
            return refused("The token has expired.");
        } catch (BadJWTException e) {
            return refused("The token is not valid for this service. Check its issuer and audience "
                    + "(strake.access.jwt.issuer and strake.access.jwt.audience), and that it has an expiry and is "
                    + "valid already.");
        } catch (BadJOSEException e) {
            return refused("The token is not signed with a known key of the issuer, or its header has another typ than "
                    + "JWT or at+jwt. Get a new one.");
        } catch (ParseException | JOSEException | RuntimeException | StackOverflowError e) {
            // The token is untrusted input, and the message of the library may quote it.
            return refused("The token cannot be read. Send a signed token exactly as the issuer issued it.");
        }
    }

    private static Unauthenticated refused(String reason) {
        return new Unauthenticated(true, reason);
    }

    private Verdict principal(JWTClaimsSet claims) {
        if (!(claim(claims, principalClaim) instanceof String name)
                || !NAME.matcher(name).matches()) {
            return refused("The token does not name its principal: the claim " + principalClaim
                    + " has to have 1 to 128 printable characters of ASCII, without blanks.");
        }
        List<String> members = new ArrayList<>();
        Object given = claim(claims, groupsClaim);
        if (given instanceof String one) {
            members.addAll(List.of(one.strip().split(" +", -1))); // the claim scope separates several values by blanks
        } else if (given instanceof List<?> several) {
            several.stream()
                    .filter(String.class::isInstance)
                    .map(String.class::cast)
                    .forEach(members::add);
        }
        return new Allowed(new Principal(PREFIX + name, groups.current().grants(members)));
    }

    /* Finds a claim by its name, or by a path into a nested claim, as in realm_access.roles. */
    private static Object claim(JWTClaimsSet claims, String name) {
        Object found = claims.getClaim(name);
        if (found != null || name.indexOf('.') < 0) {
            return found;
        }
        Object at = claims.getClaims();
        for (String part : name.split("\\.", -1)) {
            at = at instanceof Map<?, ?> map ? map.get(part) : null;
        }
        return at;
    }

    /** Whether older groups are in use because the current file cannot be used. */
    boolean isOutdated() {
        return groups.isFailed();
    }

    boolean isIssuerAway() {
        return keys.isFailed();
    }

    @Override
    public void close() {
        keys.close();
        groups.close();
    }
}
