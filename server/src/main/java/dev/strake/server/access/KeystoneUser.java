package dev.strake.server.access;

import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.text.JsonValues;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Whose a token of Keystone is, as Keystone says.
 *
 * @param name {@code keystone:DOMAIN/NAME}, so that it is taken for nobody of another domain, of the file of tokens, or of
 *     an issuer
 * @param groups what a file of grants may name: {@code ROLE} and {@code ROLE@DOMAIN/PROJECT} for each role
 * @param expires when the token ends
 */
record KeystoneUser(String name, List<String> groups, Instant expires) {

    private static final String PREFIX = "keystone:";
    private static final int LONGEST_NAME = 128;

    KeystoneUser {
        groups = List.copyOf(groups);
    }

    /**
     * The one whom an answer to {@code GET /v3/auth/tokens} names; empty if the token is good only together with something
     * that is not checked here: access rules of an application credential, or a client's certificate.
     *
     * @throws IOException if it is no such answer; the message quotes nothing of it
     */
    static Optional<KeystoneUser> of(byte[] answer) throws IOException {
        MapValue token = token(answer);
        if (isBound(token)) {
            return Optional.empty();
        }
        String name = name(token.map("user"));
        if (name.equals(PREFIX)) {
            throw new IOException("it does not say whose a token is");
        }
        List<String> groups = token.items("roles").stream()
                .map(role -> role instanceof MapValue map ? map.text("name") : "")
                .flatMap(role -> groups(role, token.map("project")))
                .toList();
        return Optional.of(new KeystoneUser(name, groups, expiry(token)));
    }

    private static MapValue token(byte[] answer) throws IOException {
        try {
            if (JsonValues.read(answer) instanceof MapValue map
                    && !map.map("token").isEmpty()) {
                return map.map("token");
            }
        } catch (IllegalArgumentException | StackOverflowError e) {
            // what comes from outside may be anything
        }
        throw new IOException("it answers with something else than a token");
    }

    /** When a token ends, of which this is the description. */
    static Instant expiry(byte[] answer) throws IOException {
        return expiry(token(answer));
    }

    private static Instant expiry(MapValue token) throws IOException {
        try {
            return Instant.parse(token.text("expires_at"));
        } catch (DateTimeException e) {
            throw new IOException("it does not say when a token ends", e);
        }
    }

    private static boolean isBound(MapValue token) {
        Value rules = token.map("application_credential").get("access_rules");
        return (rules != null && !(rules instanceof Null))
                || !token.map("bind").isEmpty()
                || !token.map("oauth2_credential").isEmpty();
    }

    /* The id in the place of names that are too long to be recorded. */
    private static String name(MapValue user) {
        String domain = user.map("domain").text("name");
        String name = PREFIX + (domain.isEmpty() ? "" : encoded(domain) + "/") + encoded(user.text("name"));
        boolean isUsable = !user.text("name").isEmpty() && name.length() <= LONGEST_NAME;
        return isUsable ? name : PREFIX + encoded(user.text("id"));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /*
     * Who runs a domain chooses the names of its projects. A name with a slash could look like a project of another domain,
     * and a role with an at sign like one for a project, so neither counts.
     */
    private static Stream<String> groups(String role, MapValue project) {
        String name = project.text("name");
        String domain = project.map("domain").text("name");
        boolean isPlain = !(name + domain).contains("/") && !name.isEmpty() && !domain.isEmpty();
        if (role.isEmpty() || role.contains("@")) {
            return Stream.empty();
        }
        return isPlain ? Stream.of(role, role + "@" + domain + "/" + name) : Stream.of(role);
    }
}
