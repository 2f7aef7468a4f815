package dev.strake.server.access;

import dev.strake.client.MisconfiguredException;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Decides who may ask for what. With a file of tokens a request proves by a bearer token (RFC 6750) whose it is; without
 * one anybody may do everything, which is for the loopback interface.
 */
public final class AccessControl implements AutoCloseable {

    private static final String SCHEME = "bearer ";

    private static final Principal NOBODY = new Principal("nobody", List.of());

    private final Optional<WatchedFiles<TokenFile>> tokens;

    private AccessControl(Optional<WatchedFiles<TokenFile>> tokens) {
        this.tokens = tokens;
    }

    /** What is decided about a request. */
    public sealed interface Verdict {}

    /** It may be answered. */
    public record Allowed(Principal principal) implements Verdict {}

    /**
     * Nobody knows whose it is.
     *
     * @param hadToken whether a token came that is none of those in force
     */
    public record Unknown(boolean hadToken, String message) implements Verdict {}

    /** Whoever asks may not. */
    public record Forbidden(String message) implements Verdict {}

    /** Anybody may do everything. */
    public static AccessControl off() {
        return new AccessControl(Optional.empty());
    }

    /**
     * Whoever has a token of a file may do what the file says.
     *
     * @throws MisconfiguredException if the file cannot be used
     */
    public static AccessControl byTokens(Path file) {
        return new AccessControl(Optional.of(new WatchedFiles<>(
                Catalogue.ACCESS_TOKENS.name(),
                List.of(file),
                TokenFile.MOST_BYTES,
                contents -> TokenFile.read(contents.get(0)),
                changed -> {})));
    }

    /**
     * As settings say.
     *
     * @throws MisconfiguredException if the file of tokens cannot be used, or if there is none though others than this
     *     machine can reach HTTP, and no setting says that they may
     */
    public static AccessControl of(Settings settings) {
        Optional<Path> file = settings.get(Catalogue.ACCESS_TOKENS);
        if (file.isPresent()) {
            return byTokens(file.get());
        }
        String host = settings.get(Catalogue.HTTP_HOST);
        if (!isLoopback(host) && !settings.get(Catalogue.ACCESS_OPEN)) {
            throw new MisconfiguredException(
                    """
                    HTTP would listen on %s, where others than this machine can reach it, and there is no file of tokens, so they could do everything. \
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
        if (tokens.isEmpty()) {
            return new Allowed(Principal.ANYBODY);
        }
        if (permission.isOpen()) {
            return new Allowed(NOBODY);
        }
        if (authorization == null || !authorization.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
            return new Unknown(
                    false,
                    "This needs a token, in the header 'Authorization: Bearer TOKEN'. Commands take it from STRAKE_TOKEN or --token-file.");
        }
        Optional<Principal> principal = tokens.get()
                .current()
                .principal(authorization.substring(SCHEME.length()).strip());
        if (principal.isEmpty()) {
            return new Unknown(
                    true, "The token is not valid here. Whoever runs this service has the file of those that are.");
        }
        return permission.isHeldBy(principal.get(), workspace)
                ? new Allowed(principal.get())
                : new Forbidden("%s may not do this: it needs %s."
                        .formatted(principal.get().name(), permission.missing(workspace)));
    }

    /** Whether the file of tokens, as it is now, cannot be used, so that an older one is in force. */
    public boolean isOutdated() {
        return tokens.map(WatchedFiles::isFailed).orElse(false);
    }

    @Override
    public void close() {
        tokens.ifPresent(WatchedFiles::close);
    }
}
