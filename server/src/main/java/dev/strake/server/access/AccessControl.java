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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides who may ask for what. A request proves by a bearer token (RFC 6750) whose it is: one of a file, or one that an
 * issuer signed. Without either, anybody may do everything, which is for the loopback interface.
 */
public final class AccessControl implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AccessControl.class);

    private static final String SCHEME = "bearer ";

    private static final Principal NOBODY = new Principal("nobody", List.of());

    private final Optional<WatchedFiles<TokenFile>> tokens;
    private final Optional<JsonWebTokens> issued;

    private AccessControl(Optional<WatchedFiles<TokenFile>> tokens, Optional<JsonWebTokens> issued) {
        this.tokens = tokens;
        this.issued = issued;
    }

    /** What is decided about a request. */
    public sealed interface Verdict {}

    public record Allowed(Principal principal) implements Verdict {}

    /**
     * It has no valid token.
     *
     * @param hadToken whether a token came that is none of those in force
     */
    public record Unauthenticated(boolean hadToken, String message) implements Verdict {}

    /** The keys of the issuer are being fetched; without them nobody can tell whose it is. */
    public record Undecided(String message) implements Verdict {}

    public record Forbidden(String message) implements Verdict {}

    public static AccessControl off() {
        return new AccessControl(Optional.empty(), Optional.empty());
    }

    private static WatchedFiles<TokenFile> watched(Path file) {
        return new WatchedFiles<>(
                Catalogue.ACCESS_TOKENS, List.of(file), contents -> TokenFile.read(contents.get(file)));
    }

    /**
     * As settings say.
     *
     * @throws MisconfiguredException if the files of tokens or groups cannot be used, or if there are no tokens though
     *     others than this machine can reach HTTP, and no setting says that they may
     */
    public static AccessControl of(Settings settings) {
        return of(settings, JsonWebTokens.of(settings));
    }

    static AccessControl of(Settings settings, Optional<JsonWebTokens> issued) {
        String host = settings.get(Catalogue.HTTP_HOST);
        Optional<Path> file = settings.get(Catalogue.ACCESS_TOKENS);
        if (file.isPresent() || issued.isPresent()) {
            if (!isLoopback(host)
                    && settings.get(Catalogue.HTTP_TLS_CERTIFICATE).isEmpty()) {
                LOG.warn(
                        "HTTP listens on {} without TLS: whoever can read on the way can read tokens. {} names a certificate; or let a proxy with TLS be the only way in.",
                        host,
                        Catalogue.HTTP_TLS_CERTIFICATE.name());
            }
            try {
                return new AccessControl(file.map(AccessControl::watched), issued);
            } catch (RuntimeException e) {
                issued.ifPresent(JsonWebTokens::close);
                throw e;
            }
        }
        if (!isLoopback(host) && !settings.get(Catalogue.ACCESS_OPEN)) {
            throw new MisconfiguredException(
                    """
                    HTTP would listen on %s, where others than this machine can reach it, and there are no tokens, so they could do everything. \
                    Make one with 'strake token' and name it in %s; or, if a network policy or the like keeps others out, set %s=true.""".formatted(host, Catalogue.ACCESS_TOKENS.name(), Catalogue.ACCESS_OPEN.name()));
        }
        return off();
    }

    private static boolean isLoopback(String host) {
        InetAddress address = new InetSocketAddress(host, 0).getAddress();
        return address != null && address.isLoopbackAddress();
    }

    /**
     * Decides about a request.
     *
     * @param authorization the header of this name, null if it did not come
     * @param workspace that the path names, null if it names none
     */
    public Verdict judge(Permission permission, String authorization, String workspace) {
        if (tokens.isEmpty() && issued.isEmpty()) {
            return new Allowed(Principal.ANYBODY);
        }
        if (permission.isOpen()) {
            return new Allowed(NOBODY);
        }
        if (authorization == null || !authorization.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
            return new Unauthenticated(
                    false,
                    "This needs a token, in the header 'Authorization: Bearer TOKEN'. Commands take it from STRAKE_TOKEN or --token-file.");
        }
        String token = authorization.substring(SCHEME.length()).strip();
        if (issued.isPresent() && JsonWebTokens.isOne(token)) {
            Verdict verdict = issued.get().judge(token);
            return verdict instanceof Allowed known ? judge(permission, known.principal(), workspace) : verdict;
        }
        Optional<Principal> principal = tokens.flatMap(file -> file.current().principal(token));
        return principal.isPresent()
                ? judge(permission, principal.get(), workspace)
                : new Unauthenticated(
                        true, "The token is not valid here. Whoever runs this service has the file of those that are.");
    }

    private static Verdict judge(Permission permission, Principal principal, String workspace) {
        return permission.isHeldBy(principal, workspace)
                ? new Allowed(principal)
                : new Forbidden(
                        "%s may not do this: it needs %s.".formatted(principal.name(), permission.missing(workspace)));
    }

    /** Whether the file of groups, as it is now, cannot be used, so that an older one is in force. */
    public boolean areGroupsOutdated() {
        return issued.map(JsonWebTokens::isOutdated).orElse(false);
    }

    /** Whether the keys of the issuer could not be fetched the last time. */
    public boolean isIssuerAway() {
        return issued.map(JsonWebTokens::isIssuerAway).orElse(false);
    }

    /** Whether the file of tokens, as it is now, cannot be used, so that an older one is in force. */
    public boolean isOutdated() {
        return tokens.map(WatchedFiles::isFailed).orElse(false);
    }

    @Override
    public void close() {
        tokens.ifPresent(WatchedFiles::close);
        issued.ifPresent(JsonWebTokens::close);
    }
}
