package dev.strake.server.access;

import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Value;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The user of a Keystone token, as Keystone describes it.
 *
 * @param name {@code keystone:DOMAIN/NAME}, distinct from users of other domains and from principals of the token file
 *     or of an issuer
 * @param groups the groups that a file of grants may name: {@code ROLE} and {@code ROLE@DOMAIN/PROJECT} for each role
 * @param expires when the token expires
 */
record KeystoneUser(String name, List<String> groups, Instant expires) {

    private static final String PREFIX = "keystone:";
    private static final int LONGEST_NAME = 128;

    KeystoneUser {
        groups = List.copyOf(groups);
    }

    /**
     * Reads the user from a response to {@code GET /v3/auth/tokens}. Empty if the token is valid only with something
     * that is not checked here: access rules of an application credential, or a client certificate.
     *
     * @throws IOException if the response is malformed; the message quotes nothing of it
     */
    static Optional<KeystoneUser> of(byte[] answer) throws IOException {
        MapValue token = token(answer);
        if (isBound(token)) {
            return Optional.empty();
        }
        String name = name(token.map("user"));
        if (name.equals(PREFIX)) {
            throw new IOException("it does not name the user of a token");
        }
        List<String> groups = token.items("roles").stream()
                .map(role -> role instanceof MapValue map ? map.text("name") : "")
                .flatMap(role -> groups(role, token.map("project")))
                .toList();
        return Optional.of(new KeystoneUser(name, groups, expiry(token)));
    }

    private static MapValue token(byte[] answer) throws IOException {
        try {
            if (JsonReader.read(answer) instanceof MapValue map
                    && !map.map("token").isEmpty()) {
                return map.map("token");
            }
        } catch (IllegalArgumentException | StackOverflowError e) {
            // the response is untrusted input; reported below
        }
        throw new IOException("it answers with something else than a token");
    }

    /** Reads the expiry of a token from a response to {@code GET} or {@code POST /v3/auth/tokens}. */
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

    /* Uses the id if the name is too long to be recorded. */
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
     * The administrator of a domain chooses the names of its projects. A name with a slash could look like a project of
     * another domain, and a role with an at sign like a role in a project. Neither is granted anything.
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
