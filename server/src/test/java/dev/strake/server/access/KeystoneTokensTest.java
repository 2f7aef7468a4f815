package dev.strake.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.strake.client.MisconfiguredException;
import dev.strake.server.access.AccessControl.Allowed;
import dev.strake.server.access.AccessControl.Forbidden;
import dev.strake.server.access.AccessControl.Unauthenticated;
import dev.strake.server.access.AccessControl.Undecided;
import dev.strake.server.access.AccessControl.Verdict;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Validates tokens of a Keystone, with real HTTP requests. */
class KeystoneTokensTest {

    private static final Permission READ = new Permission("GET", "/a", Role.READER, Permission.Scope.THIS);
    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    @TempDir
    Path directory;

    private final TestClock clock = new TestClock();
    private TestKeystone keystone;
    private AccessControl access;

    /** A clock that the test advances. */
    private static final class TestClock extends Clock {

        private volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");

        void pass(Duration time) {
            now = now.plus(time);
        }

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException();
        }
    }

    @BeforeEach
    void start() throws IOException {
        keystone = TestKeystone.start(clock);
    }

    @AfterEach
    void stop() {
        keystone.close();
        if (access != null) {
            access.close();
        }
    }

    private void trust() throws IOException {
        trust(settings());
    }

    private void trust(Settings settings) {
        access = AccessControl.of(settings, JsonWebTokens.of(settings), KeystoneTokens.of(settings, clock));
    }

    private Settings settings() throws IOException {
        return Settings.defaults()
                .with(Catalogue.KEYSTONE_URL, keystone.url())
                .with(Catalogue.KEYSTONE_CREDENTIALS, credentials(TestKeystone.byPassword(TestKeystone.PASSWORD)))
                .with(Catalogue.KEYSTONE_ROLES, file("roles", """
                        # role                  grants
                        admin                   reader@*
                        member@Default/site-a   publisher@site-a
                        the%20team              reader@team
                        *                       reader@public
                        """));
    }

    private Path credentials(String text) throws IOException {
        return file("credentials", text);
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    private Verdict judge(String token) {
        return judge(token, "site-b");
    }

    private Verdict judge(String token, String workspace) {
        return later(token, workspace).join();
    }

    private CompletableFuture<Verdict> later(String token, String workspace) {
        return access.judge(READ, Map.of("X-Auth-Token", token)::get, workspace);
    }

    @Test
    void shouldGrantRolesTheRightsOfTheFile() throws Exception {
        trust();
        String admin = keystone.token("alice", "ucp", "admin", "unheard-of");
        assertThat(judge(admin))
                .isInstanceOfSatisfying(
                        Allowed.class,
                        allowed -> assertThat(allowed.principal().name()).isEqualTo("keystone:Default/alice"));
        String member = keystone.token("bob", "site-a", "member");
        assertThat(judge(member, "site-a")).isInstanceOf(Allowed.class);
        assertThat(judge(member, "site-b"))
                .isEqualTo(new Forbidden("keystone:Default/bob may not do this: it needs reader@site-b."));
        assertThat(judge(keystone.token("bob", "site-b", "member"), "site-a")).isInstanceOf(Forbidden.class);
        assertThat(judge(keystone.token("bob", "x", "the team"), "team")).isInstanceOf(Allowed.class);
        assertThat(judge(keystone.unscoped("bob"))).isInstanceOf(Forbidden.class);
        assertThat(judge(keystone.unscoped("bob"), "public")).isInstanceOf(Allowed.class);
        assertThat(judge(keystone.jws("bob", "admin"))).isInstanceOf(Allowed.class);
    }

    @Test
    void shouldNotConfuseUsersOrProjectsWithCraftedNames() throws Exception {
        trust();
        for (String project : List.of("Default/site-a", "/Default/site-a")) {
            assertThat(judge(keystone.token("eve", project, "member"), "site-a"))
                    .isInstanceOf(Forbidden.class);
        }
        assertThat(judge(keystone.token("eve", "x", "member@Default/site-a"), "site-a"))
                .isInstanceOf(Forbidden.class);
        assertThat(nameOf("Other/alice b%")).isEqualTo("keystone:Default/Other%2Falice%20b%25");
        assertThat(nameOf("ü".repeat(100))).startsWith("keystone:id-of-");
    }

    private String nameOf(String user) {
        Allowed allowed = (Allowed) judge(keystone.token(user, "ucp", "admin"));
        return allowed.principal().name();
    }

    @Test
    void shouldValidateATokenOfManyRequestsOnce() throws Exception {
        trust();
        String token = keystone.token("alice", "ucp", "admin");
        CountDownLatch held = keystone.hold();
        List<CompletableFuture<Verdict>> verdicts =
                Stream.generate(() -> later(token, "site-b")).limit(50).toList();
        assertThat(verdicts).noneMatch(CompletableFuture::isDone);
        held.countDown();
        assertThat(verdicts).allMatch(verdict -> verdict.join() instanceof Allowed);
        assertThat(judge(token)).isInstanceOf(Allowed.class);
        assertThat(keystone.validations()).isEqualTo(1);
        assertThat(keystone.authentications()).isEqualTo(1);
    }

    @Test
    void shouldNoticeARevokedTokenWithinMinutes() throws Exception {
        trust();
        String token = keystone.token("alice", "ucp", "admin");
        assertThat(judge(token)).isInstanceOf(Allowed.class);
        keystone.revoke(token);
        clock.pass(Duration.ofMinutes(4));
        assertThat(judge(token)).isInstanceOf(Allowed.class);
        clock.pass(Duration.ofMinutes(1));
        assertThat(judge(token)).isInstanceOf(Unauthenticated.class);
    }

    @Test
    void shouldRefuseAnExpiredToken() throws Exception {
        trust();
        Instant soon = clock.instant().plusSeconds(30);
        String token = keystone.issue(TestKeystone.fernet(), "alice", "\"roles\": [{\"name\": \"admin\"}],", soon);
        assertThat(judge(token)).isInstanceOf(Allowed.class);
        clock.pass(Duration.ofSeconds(31));
        assertThat(judge(token)).isEqualTo(new Unauthenticated(true, "The token has expired."));
        clock.pass(Duration.ofMinutes(5));
        assertThat(judge(token)).isInstanceOf(Unauthenticated.class);
    }

    @Test
    void shouldCacheThatKeystoneDoesNotKnowAToken() throws Exception {
        trust();
        String unknown = TestKeystone.fernet();
        for (int i = 0; i < 100; i++) {
            assertThat(judge(unknown)).isInstanceOf(Unauthenticated.class);
        }
        assertThat(keystone.validations()).isEqualTo(1);
        clock.pass(Duration.ofSeconds(11));
        assertThat(judge(unknown)).isInstanceOf(Unauthenticated.class);
        assertThat(keystone.validations()).isEqualTo(2);
        assertThat(access.isKeystoneAway()).isFalse();
    }

    @Test
    void shouldSendKeystoneOnlyItsOwnTokens() throws Exception {
        trust();
        for (String token :
                List.of(Token.create().secret(), "short", "a b".repeat(20), "a\u00e9".repeat(20), "a".repeat(9_000))) {
            assertThat(judge(token)).isInstanceOf(Unauthenticated.class);
        }
        assertThat(keystone.validations()).isZero();
    }

    @Test
    void shouldAuthenticateWithAnApplicationCredential() throws Exception {
        keystone.takePassword("rEaqvJka48mpv");
        trust(settings()
                .with(
                        Catalogue.KEYSTONE_CREDENTIALS,
                        credentials(TestKeystone.byApplicationCredential("rEaqvJka48mpv"))));
        assertThat(judge(keystone.token("alice", "ucp", "admin"))).isInstanceOf(Allowed.class);
    }

    @Test
    void shouldRenewItsOwnTokenWhenItExpiresOrIsRefused() throws Exception {
        trust();
        assertThat(judge(keystone.token("a", "ucp", "admin"))).isInstanceOf(Allowed.class);
        keystone.forgetOwn();
        assertThat(judge(keystone.token("b", "ucp", "admin"))).isInstanceOf(Allowed.class);
        assertThat(keystone.authentications()).isEqualTo(2);
        clock.pass(Duration.ofHours(1));
        assertThat(judge(keystone.token("c", "ucp", "admin"))).isInstanceOf(Allowed.class);
        assertThat(keystone.authentications()).isEqualTo(3);
    }

    @Test
    void shouldRenewItsOwnTokenAheadOfItsExpiry() throws Exception {
        trust();
        await().atMost(TIMEOUT).until(() -> keystone.authentications() == 1);
        clock.pass(Duration.ofMinutes(59));
        await().atMost(TIMEOUT).until(() -> keystone.authentications() == 2);
    }

    @Test
    void shouldStartWithRefusedCredentialsAndReloadNewOnes() throws Exception {
        trust(settings().with(Catalogue.KEYSTONE_CREDENTIALS, credentials(TestKeystone.byPassword("wrong"))));
        String token = keystone.token("alice", "ucp", "admin");
        assertThat(judge(token)).isInstanceOf(Undecided.class);
        assertThat(access.isKeystoneAway()).isTrue();
        for (int i = 0; i < 20; i++) {
            assertThat(judge(token)).isInstanceOf(Undecided.class);
        }
        assertThat(keystone.authentications())
                .as("Keystone locks who tries too often")
                .isEqualTo(1);
        credentials(TestKeystone.byPassword(TestKeystone.PASSWORD));
        await().atMost(TIMEOUT).until(() -> {
            clock.pass(Duration.ofSeconds(10));
            return judge(token) instanceof Allowed;
        });
        assertThat(access.isKeystoneAway()).isFalse();
    }

    @Test
    void shouldBeUndecidedIfItsUserMayNotValidateTokens() throws Exception {
        keystone.allow(false);
        trust();
        assertThat(judge(keystone.token("alice", "ucp", "admin")))
                .isInstanceOfSatisfying(
                        Undecided.class,
                        refused -> assertThat(refused.message()).contains("refuses this service", "log"));
        assertThat(access.isKeystoneAway()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {300, 302, 307, 400, 500, 503})
    void shouldAcceptCachedTokensUntilTheyExpireWhileKeystoneIsAway(int status) throws Exception {
        trust();
        String token = keystone.token("alice", "ucp", "admin");
        assertThat(judge(token)).isInstanceOf(Allowed.class);
        keystone.answer(status);
        clock.pass(Duration.ofMinutes(6));
        assertThat(judge(token)).isInstanceOf(Allowed.class);
        assertThat(judge(keystone.token("bob", "ucp", "admin")))
                .isInstanceOfSatisfying(
                        Undecided.class, away -> assertThat(away.code()).isEqualTo("KeystoneAway"));
        assertThat(access.isKeystoneAway()).isTrue();
        clock.pass(Duration.ofMinutes(55));
        assertThat(judge(token)).isInstanceOf(Unauthenticated.class);

        keystone.answer(0);
        await().atMost(TIMEOUT).until(() -> {
            clock.pass(Duration.ofSeconds(10));
            return judge(keystone.token("bob", "ucp", "admin")) instanceof Allowed;
        });
        assertThat(access.isKeystoneAway()).isFalse();
    }

    @Test
    void shouldNotWaitForeverForKeystone() throws Exception {
        trust();
        String known = keystone.token("alice", "ucp", "admin");
        assertThat(judge(known)).isInstanceOf(Allowed.class);
        keystone.hold();
        List<CompletableFuture<Verdict>> verdicts = Stream.generate(
                        () -> later(keystone.token("bob", "ucp", "admin"), "site-b"))
                .limit(300)
                .toList();
        assertThat(judge(known)).as("whoever is known does not wait").isInstanceOf(Allowed.class);
        assertThat(verdicts).allMatch(verdict -> verdict.join() instanceof Undecided);
    }

    @ParameterizedTest
    @ValueSource(strings = {"<html>", "{}", "{\"token\": []}", "deep", "huge", "nobody", "endless", "until when"})
    void shouldRefuseTokensWhileKeystoneSendsInvalidResponses(String answer) throws Exception {
        trust();
        assertThat(judge(keystone.token("alice", "ucp", "admin"))).isInstanceOf(Allowed.class);
        keystone.answerAs(text -> switch (answer) {
            case "deep" -> "[".repeat(100_000);
            case "huge" -> text + " ".repeat(300_000);
            case "nobody" -> text.replace("\"user\"", "\"robot\"");
            case "endless" -> text.replace("expires_at", "expired_at");
            case "until when" -> text.replaceAll("\"expires_at\": \"[^\"]*\"", "\"expires_at\": \"never\"");
            default -> answer;
        });
        assertThat(judge(keystone.token("bob", "ucp", "admin"))).isInstanceOf(Undecided.class);
        assertThat(access.isKeystoneAway()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"application_credential\": {\"id\": \"1\", \"restricted\": true, \"access_rules\": []},",
                "\"bind\": {\"kerberos\": \"alice\"},",
                "\"oauth2_credential\": {\"x5t#S256\": \"abc\"},"
            })
    void shouldRefuseATokenWithRestrictionsThatAreNotChecked(String restriction) throws Exception {
        trust();
        String roles = "\"roles\": [{\"name\": \"admin\"}],";
        Instant end = clock.instant().plusSeconds(600);
        assertThat(judge(keystone.issue(TestKeystone.fernet(), "alice", restriction + roles, end)))
                .isInstanceOf(Unauthenticated.class);
    }

    @Test
    void shouldReloadTheFileOfRolesWhenItChanges() throws Exception {
        trust();
        String token = keystone.token("alice", "ucp", "operator");
        assertThat(judge(token)).isInstanceOf(Forbidden.class);
        file("roles", "operator reader@*\n");
        await().atMost(TIMEOUT).until(() -> judge(token) instanceof Allowed);
        file("roles", "operator all\n");
        await().atMost(TIMEOUT).until(access::areGroupsOutdated);
        assertThat(judge(token)).isInstanceOf(Allowed.class);
    }

    @Test
    void shouldAcceptTokensOfTheFileOfAnIssuerAndOfKeystone() throws Exception {
        Token ours = Token.create();
        Path tokens = file("tokens", ours.line("ci", List.of(Grant.parse("reader@*"))) + "\n");
        try (TestIssuer issuer = TestIssuer.start()) {
            trust(settings()
                    .with(Catalogue.ACCESS_TOKENS, tokens)
                    .with(Catalogue.JWT_ISSUER, issuer.url())
                    .with(Catalogue.JWT_AUDIENCE, TestIssuer.AUDIENCE)
                    .with(Catalogue.JWT_GROUPS, file("groups", "readers reader@*\n")));
            assertThat(judge(ours.secret())).isInstanceOf(Allowed.class);
            await().atMost(TIMEOUT).until(() -> judge(issuer.token("a", "readers")) instanceof Allowed);
            assertThat(judge(issuer.signed(issuer.claims("a", "readers")
                            .issuer("https://else.example")
                            .build())))
                    .isInstanceOf(Unauthenticated.class);
            assertThat(keystone.validations()).isZero();
            assertThat(judge(keystone.token("alice", "ucp", "admin"))).isInstanceOf(Allowed.class);
            assertThat(judge(keystone.jws("alice", "admin"))).isInstanceOf(Allowed.class);
            assertThat(judge(Token.create().secret())).isInstanceOf(Unauthenticated.class);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            swordfish
            ["swordfish"]
            {"auth": "swordfish"}
            {"auth": {"identity": {"password": "swordfish"}}}
            {"auth": {"identity": {"methods": []}, "password": "swordfish"}}
            """)
    void shouldRefuseToStartWithInvalidCredentialsAndNotQuoteThem(String text) throws Exception {
        Settings settings = settings().with(Catalogue.KEYSTONE_CREDENTIALS, credentials(text));
        assertThatThrownBy(() -> trust(settings))
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContaining("strake.access.keystone.credentials")
                .satisfies(e -> assertThat(e.toString() + e.getCause()).doesNotContain("swordfish"));
    }

    @Test
    void shouldRefuseToStartWithIncompleteOrInvalidSettings() throws Exception {
        assertThatThrownBy(() -> trust(Settings.defaults().with(Catalogue.KEYSTONE_URL, keystone.url())))
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContaining("belong together");
        for (String url : List.of("https://user:password@keystone", "https://:5000", "https://keystone/v3?a=b")) {
            Settings settings = settings().with(Catalogue.KEYSTONE_URL, url);
            assertThatThrownBy(() -> trust(settings))
                    .isInstanceOf(MisconfiguredException.class)
                    .hasMessageContaining("strake.access.keystone.url")
                    .hasMessageNotContaining("password");
        }
        Settings both = settings();
        file("roles", "admin all\n");
        assertThatThrownBy(() -> trust(both))
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContainingAll("strake.access.keystone.roles", "line 1");
    }

    @Test
    void shouldAcceptAnAddressWithAndWithoutAVersion() throws Exception {
        for (String url : List.of(keystone.url() + "/", keystone.url().replace("/v3", ""))) {
            trust(settings().with(Catalogue.KEYSTONE_URL, url));
            assertThat(judge(keystone.token("alice", "ucp", "admin"))).isInstanceOf(Allowed.class);
            access.close();
        }
    }
}
