package dev.strake.server.access;

import dev.strake.client.MisconfiguredException;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import dev.strake.server.settings.WatchedFiles;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides what the principal of a request may do. A request proves its principal with a bearer token (RFC 6750): one
 * listed in the token file, one signed by an issuer, or one issued by Keystone. If none of the three is configured, all
 * requests are allowed, which is safe only on the loopback interface.
 */
public final class AccessControl implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AccessControl.class);

    private static final String SCHEME = "bearer ";
    private static final String AUTHORIZATION = "Authorization";

    /** The header in which clients of OpenStack services send their token. */
    public static final String X_AUTH_TOKEN = "X-Auth-Token";

    private static final Principal NOBODY = new Principal("nobody", List.of());

    private static final Unauthenticated NO_TOKEN = new Unauthenticated(
            false,
            "The request needs a token, in the header 'Authorization: Bearer TOKEN' or 'X-Auth-Token: TOKEN'. "
                    + "Commands read it from STRAKE_TOKEN or --token-file.");

    private static final Unauthenticated NOT_VALID =
            new Unauthenticated(true, "The token is not valid. Ask the operator of this service for one.");

    private final Optional<WatchedFiles<TokenFile>> tokens;
    private final Optional<JsonWebTokens> issued;
    private final Optional<KeystoneTokens> keystone;

    private AccessControl(
            Optional<WatchedFiles<TokenFile>> tokens,
            Optional<JsonWebTokens> issued,
            Optional<KeystoneTokens> keystone) {
        this.tokens = tokens;
        this.issued = issued;
        this.keystone = keystone;
    }

    /** The decision about a request. */
    public sealed interface Verdict {}

    public record Allowed(Principal principal) implements Verdict {}

    /**
     * The request has no valid token.
     *
     * @param hadToken whether the request had an invalid token, rather than none
     */
    public record Unauthenticated(boolean hadToken, String message) implements Verdict {}

    /** The token cannot be checked now: the issuer's keys are being fetched, or Keystone does not answer. */
    public record Undecided(String code, String message) implements Verdict {}

    public record Forbidden(String message) implements Verdict {}

    public static AccessControl off() {
        return new AccessControl(Optional.empty(), Optional.empty(), Optional.empty());
    }

    private static WatchedFiles<TokenFile> watched(Path file) {
        return new WatchedFiles<>(
                Catalogue.ACCESS_TOKENS, List.of(file), contents -> TokenFile.read(contents.get(file)));
    }

    /**
     * Reads the access control from the settings.
     *
     * @throws MisconfiguredException if the token or group files cannot be used, or if other machines can reach HTTP
     *     without tokens and no setting permits that
     */
    public static AccessControl of(Settings settings) {
        Optional<JsonWebTokens> issued = JsonWebTokens.of(settings);
        Optional<KeystoneTokens> keystone;
        try {
            keystone = KeystoneTokens.of(settings);
        } catch (RuntimeException e) {
            issued.ifPresent(JsonWebTokens::close);
            throw e;
        }
        return of(settings, issued, keystone);
    }

    static AccessControl of(Settings settings, Optional<JsonWebTokens> issued, Optional<KeystoneTokens> keystone) {
        String host = settings.get(Catalogue.HTTP_HOST);
        Optional<Path> file = settings.get(Catalogue.ACCESS_TOKENS);
        if (file.isPresent() || issued.isPresent() || keystone.isPresent()) {
            if (!isLoopback(host)
                    && settings.get(Catalogue.HTTP_TLS_CERTIFICATE).isEmpty()) {
                LOG.warn(
                        "HTTP listens on {} without TLS, so tokens can be read on the network. Set {}, or admit only "
                                + "a proxy with TLS.",
                        host,
                        Catalogue.HTTP_TLS_CERTIFICATE.name());
            }
            try {
                return new AccessControl(file.map(AccessControl::watched), issued, keystone);
            } catch (RuntimeException e) {
                issued.ifPresent(JsonWebTokens::close);
                keystone.ifPresent(KeystoneTokens::close);
                throw e;
            }
        }
        if (!isLoopback(host) && !settings.get(Catalogue.ACCESS_OPEN)) {
            throw new MisconfiguredException(
                    """
                    HTTP would listen on %s without tokens, so other machines could do everything. \
                    Make a file with 'strake token' and set %s; or, if the network keeps others out, set %s=true.""".formatted(host, Catalogue.ACCESS_TOKENS.name(), Catalogue.ACCESS_OPEN.name()));
        }
        return off();
    }

    private static boolean isLoopback(String host) {
        InetAddress address = new InetSocketAddress(host, 0).getAddress();
        return address != null && address.isLoopbackAddress();
    }

    /**
     * Decides about a request. The verdict is delayed only if Keystone has to check the token.
     *
     * @param headers returns the value of a request header by name, or null if it is absent
     * @param workspace the workspace that the path names, or null
     */
    public CompletableFuture<Verdict> judge(Permission permission, UnaryOperator<String> headers, String workspace) {
        if (tokens.isEmpty() && issued.isEmpty() && keystone.isEmpty()) {
            return CompletableFuture.completedFuture(new Allowed(Principal.ANYBODY));
        }
        if (permission.isOpen()) {
            return CompletableFuture.completedFuture(new Allowed(NOBODY));
        }
        Optional<String> bearer = bearer(headers.apply(AUTHORIZATION));
        Optional<String> other = Optional.ofNullable(headers.apply(X_AUTH_TOKEN))
                .map(String::strip)
                .filter(token -> !token.isEmpty());
        if (bearer.isPresent() && other.isPresent() && !bearer.equals(other)) {
            return CompletableFuture.completedFuture(new Unauthenticated(
                    true, "The headers Authorization and X-Auth-Token have different tokens. Send only one of them."));
        }
        return bearer.or(() -> other)
                .map(this::principal)
                .orElse(CompletableFuture.completedFuture(NO_TOKEN))
                .thenApply(verdict ->
                        verdict instanceof Allowed known ? judge(permission, known.principal(), workspace) : verdict);
    }

    private static Optional<String> bearer(String authorization) {
        return authorization != null && authorization.toLowerCase(Locale.ROOT).startsWith(SCHEME)
                ? Optional.of(authorization.substring(SCHEME.length()).strip())
                : Optional.empty();
    }

    /* Finds the principal of a token; does not check permissions. Tokens of other origin are never sent to Keystone. */
    private CompletableFuture<Verdict> principal(String token) {
        Optional<Principal> listed = tokens.flatMap(file -> file.current().principal(token));
        if (listed.isPresent()) {
            return CompletableFuture.completedFuture(new Allowed(listed.get()));
        }
        if (issued.isPresent()
                && JsonWebTokens.isOne(token)
                && (keystone.isEmpty() || JsonWebTokens.namesIssuer(token))) {
            return CompletableFuture.completedFuture(issued.get().judge(token));
        }
        return keystone.filter(any -> KeystoneTokens.isOne(token))
                .map(each -> each.judge(token))
                .orElse(CompletableFuture.completedFuture(NOT_VALID));
    }

    private static Verdict judge(Permission permission, Principal principal, String workspace) {
        return permission.isHeldBy(principal, workspace)
                ? new Allowed(principal)
                : new Forbidden(
                        "%s may not do this: it needs %s.".formatted(principal.name(), permission.missing(workspace)));
    }

    /** Whether an older version of the groups or roles is in use because the current file cannot be used. */
    public boolean areGroupsOutdated() {
        return issued.map(JsonWebTokens::isOutdated).orElse(false)
                || keystone.map(KeystoneTokens::isOutdated).orElse(false);
    }

    /** Whether Keystone did not answer the last request, or refused it. */
    public boolean isKeystoneAway() {
        return keystone.map(KeystoneTokens::isAway).orElse(false);
    }

    /** Whether the last attempt to fetch the issuer's keys failed. */
    public boolean isIssuerAway() {
        return issued.map(JsonWebTokens::isIssuerAway).orElse(false);
    }

    /** Whether an older version of the tokens is in use because the current file cannot be used. */
    public boolean isOutdated() {
        return tokens.map(WatchedFiles::isFailed).orElse(false);
    }

    @Override
    public void close() {
        tokens.ifPresent(WatchedFiles::close);
        issued.ifPresent(JsonWebTokens::close);
        keystone.ifPresent(KeystoneTokens::close);
    }
}
