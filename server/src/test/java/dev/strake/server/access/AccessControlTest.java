package dev.strake.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.strake.client.MisconfiguredException;
import dev.strake.server.access.AccessControl.Allowed;
import dev.strake.server.access.AccessControl.Forbidden;
import dev.strake.server.access.AccessControl.Unauthenticated;
import dev.strake.server.access.AccessControl.Verdict;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AccessControlTest {

    private static final Permission READ = Permission.of("GET", "/workspaces/{workspace}/documents");
    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    @TempDir
    Path directory;

    private final Token token = Token.create();

    @Test
    void shouldAcceptTokensOfTheFile() throws IOException {
        Path file = file("# ours\n\n  " + line("ci", "reader@site-*") + "\r\n");
        try (AccessControl access = byTokens(file)) {
            assertThat(judge(access, "site-a"))
                    .isInstanceOfSatisfying(
                            Allowed.class,
                            allowed -> assertThat(allowed.principal().name()).isEqualTo("ci"));
            assertThat(judge(access, "other")).isEqualTo(new Forbidden("ci may not do this: it needs reader@other."));
            assertThat(judge(access, "bearer   " + token.secret(), "site-a")).isInstanceOf(Allowed.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Bearer", "Bearer ", "Bearer x", "Basic Y2k6Y2k=", "strake_x"})
    void shouldRefuseOtherTokens(String authorization) throws IOException {
        try (AccessControl access = byTokens(file(line("ci", "reader@*")))) {
            assertThat(judge(access, authorization, "a")).isInstanceOf(Unauthenticated.class);
            assertThat(judge(access, (String) null, "a")).isInstanceOf(Unauthenticated.class);
        }
    }

    @Test
    void shouldReadXAuthTokenLikeABearerToken() throws IOException {
        Token other = Token.create();
        Optional<String> none = Optional.empty();
        Optional<String> good = Optional.of(token.secret());
        Optional<String> bearer = Optional.of("Bearer " + token.secret());
        try (AccessControl access = byTokens(file(line("ci", "reader@*") + other.line("o", grants("reader@*"))))) {
            assertThat(withBoth(access, none, good)).isInstanceOf(Allowed.class);
            assertThat(withBoth(access, bearer, good)).isInstanceOf(Allowed.class);
            assertThat(withBoth(access, bearer, Optional.of(" "))).isInstanceOf(Allowed.class);
            assertThat(withBoth(access, Optional.of("Basic Y2k6Y2k="), good)).isInstanceOf(Allowed.class);
            assertThat(withBoth(access, none, Optional.of("x"))).isInstanceOf(Unauthenticated.class);
            assertThat(withBoth(access, none, bearer)).isInstanceOf(Unauthenticated.class);
            assertThat(withBoth(access, bearer, Optional.of(other.secret())))
                    .isInstanceOfSatisfying(
                            Unauthenticated.class,
                            refused -> assertThat(refused.message()).contains("have different tokens"));
        }
    }

    private static Verdict withBoth(AccessControl access, Optional<String> authorization, Optional<String> token) {
        return judge(access, Map.of("Authorization", authorization, "X-Auth-Token", token), "a");
    }

    private static List<Grant> grants(String grant) {
        return List.of(Grant.parse(grant));
    }

    @Test
    void shouldAcceptEveryTokenOfAPrincipal() throws IOException {
        Token other = Token.create();
        Path file = file(line("ci", "reader@*") + other.line("ci", List.of(Grant.parse("publisher@a"))));
        try (AccessControl access = byTokens(file)) {
            assertThat(judge(access, "b")).isInstanceOf(Allowed.class);
            assertThat(judge(access, "Bearer " + other.secret(), "b")).isInstanceOf(Forbidden.class);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    ci                             | line 2: the second word has to be sha256:
                    ci TOKEN reader@*              | line 2: the second word has to be sha256:
                    ci sha256:TOKEN reader@*       | line 2: the second word has to be sha256:
                    ci HASH                        | line 2: the hash has to be followed by grants
                    ci HASH reader                 | line 2: reader@ has to be followed by workspaces
                    ci HASH reader@                | line 2: reader@ has to be followed by workspaces
                    ci HASH reader@a,b             | line 2: reader@ has to be followed by workspaces
                    ci HASH writer@a               | line 2: a grant has the form ROLE@WORKSPACES
                    c,i HASH reader@a              | line 2: the first word names the principal
                    """)
    void shouldRefuseToStartWithAnInvalidLineAndNotQuoteIt(String line, String why) throws IOException {
        String hash = token.hashed();
        Path file = file("# ours\n" + line.replace("TOKEN", token.secret()).replace("HASH", hash) + "\n");
        assertThatThrownBy(() -> byTokens(file))
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContainingAll("strake.access.tokens, file " + file, why)
                .satisfies(e -> assertThat(e.toString()).doesNotContain(token.secret(), hash));
    }

    @Test
    void shouldRefuseAMissingOrBinaryFile() throws IOException {
        assertThatThrownBy(() -> byTokens(directory.resolve("absent")))
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContaining("absent cannot be read (NoSuchFileException)");
        Path binary = directory.resolve("binary");
        Files.write(binary, new byte[] {(byte) 0xff});
        assertThatThrownBy(() -> byTokens(binary)).hasMessageContaining("not UTF-8 text");
    }

    @Test
    void shouldReloadTheFileWhenItChangesAndKeepTheLastGoodOne() throws IOException {
        Path file = file(line("ci", "reader@a"));
        try (AccessControl access = byTokens(file)) {
            assertThat(judge(access, "b")).isInstanceOf(Forbidden.class);
            replace(file, line("ci", "reader@b"));
            await().atMost(TIMEOUT).until(() -> judge(access, "b") instanceof Allowed);
            assertThat(access.isOutdated()).isFalse();

            replace(file, "ci " + token.secret() + " reader@*\n");
            await().atMost(TIMEOUT).until(access::isOutdated);
            assertThat(judge(access, "b")).isInstanceOf(Allowed.class);
            Files.delete(file);
            assertThat(judge(access, "b")).isInstanceOf(Allowed.class);

            replace(file, "# nobody\n");
            await().atMost(TIMEOUT).until(() -> judge(access, "b") instanceof Unauthenticated);
            assertThat(access.isOutdated()).isFalse();
        }
    }

    @Test
    void shouldRefuseToBeOpenBeyondThisMachineUnlessAllowed() throws IOException {
        for (String host : List.of("127.0.0.1", "localhost", "::1")) {
            assertThat(judge(AccessControl.of(Settings.defaults().with(Catalogue.HTTP_HOST, host)), "a"))
                    .isEqualTo(new Allowed(Principal.ANYBODY));
        }
        for (String host : List.of("0.0.0.0", "192.0.2.1", "no-such-host.invalid")) {
            Settings settings = Settings.defaults().with(Catalogue.HTTP_HOST, host);
            assertThatThrownBy(() -> AccessControl.of(settings))
                    .isInstanceOf(MisconfiguredException.class)
                    .hasMessageContainingAll("HTTP would listen on " + host, "strake token", "strake.access.open=true");
            assertThat(judge(AccessControl.of(settings.with(Catalogue.ACCESS_OPEN, true)), "a"))
                    .isInstanceOf(Allowed.class);
            Path file = file(line("ci", "reader@a"));
            try (AccessControl access = AccessControl.of(
                    settings.with(Catalogue.ACCESS_TOKENS, file).with(Catalogue.ACCESS_OPEN, true))) {
                assertThat(judge(access, "b")).isInstanceOf(Forbidden.class);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "*, a, true",
        "site-*, site-a, true",
        "site-*, site-, true",
        "site-*, site, false",
        "site-*, my-site-a, false",
        "*-prod, a-prod, true",
        "*-prod, a-prod-b, false",
        "a*b*c, aXbXbc, true",
        "a*b*c, aXbXb, false",
        "a.c, abc, false",
        "**, a, true",
        "site-a, site-a, true",
        "site-a, site-ab, false"
    })
    void shouldLetAStarStandForAnyCharacters(String pattern, String workspace, boolean isFor) {
        assertThat(Grant.parse("reader@" + pattern).isFor(workspace)).isEqualTo(isFor);
    }

    private Verdict judge(AccessControl access, String workspace) {
        return judge(access, "Bearer " + token.secret(), workspace);
    }

    private static Verdict judge(AccessControl access, String authorization, String workspace) {
        return judge(access, Map.of("Authorization", Optional.ofNullable(authorization)), workspace);
    }

    private static Verdict judge(AccessControl access, Map<String, Optional<String>> headers, String workspace) {
        return access.judge(
                        READ,
                        name -> headers.getOrDefault(name, Optional.empty()).orElse(null),
                        workspace)
                .join();
    }

    private String line(String name, String grant) {
        return token.line(name, List.of(Grant.parse(grant))) + "\n";
    }

    private static AccessControl byTokens(Path file) {
        return AccessControl.of(Settings.defaults().with(Catalogue.ACCESS_TOKENS, file));
    }

    private Path file(String content) throws IOException {
        return Files.writeString(directory.resolve("tokens"), content, StandardCharsets.UTF_8);
    }

    /* Replaces the file atomically, so that a reader never sees a part of it. */
    private void replace(Path file, String content) throws IOException {
        Path next = Files.writeString(directory.resolve("next"), content);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
