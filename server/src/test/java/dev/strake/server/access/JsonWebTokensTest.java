package dev.strake.server.access;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.crypto.opts.AllowWeakRSAKey;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
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
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Validates tokens of an issuer, with real HTTP requests for its keys. */
class JsonWebTokensTest {

    private static final Permission READ = new Permission("GET", "/a", Role.READER, Permission.Scope.THIS);
    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final Duration NEVER_AGAIN = Duration.ofHours(1);

    @TempDir
    Path directory;

    private TestIssuer issuer;
    private AccessControl access;

    @BeforeEach
    void start() throws IOException {
        issuer = TestIssuer.start();
    }

    @AfterEach
    void stop() {
        if (access != null) {
            access.close();
        }
        issuer.close();
    }

    private void trust(Duration atMostEvery) throws IOException {
        trust(atMostEvery, settings -> settings);
        await().atMost(TIMEOUT).until(() -> !(judge(issuer.token("alice", "readers")) instanceof Undecided));
    }

    private void trust(Duration atMostEvery, UnaryOperator<Settings> more) throws IOException {
        Settings settings = more.apply(settings());
        access = AccessControl.of(settings, JsonWebTokens.of(settings, atMostEvery), Optional.empty());
    }

    private Settings settings() throws IOException {
        Path groups = Files.writeString(directory.resolve("groups"), """
                # group  grants
                readers  reader@site-*
                the%20team reader@*
                a+b      publisher@site-a
                *        reader@public
                """);
        return Settings.defaults()
                .with(Catalogue.JWT_ISSUER, issuer.url())
                .with(Catalogue.JWT_AUDIENCE, TestIssuer.AUDIENCE)
                .with(Catalogue.JWT_GROUPS, groups);
    }

    private Verdict judge(String token) {
        return judge(token, "site-a");
    }

    private Verdict judge(String token, String workspace) {
        return access.judge(READ, Map.of("Authorization", "Bearer " + token)::get, workspace)
                .join();
    }

    private void assertRefused(String token, String why) {
        assertThat(judge(token)).isInstanceOfSatisfying(Unauthenticated.class, unknown -> {
            assertThat(unknown.hadToken()).isTrue();
            assertThat(unknown.message()).contains(why);
        });
    }

    private void assertRefused(UnaryOperator<JWTClaimsSet.Builder> change, String why) throws Exception {
        assertRefused(issuer.signed(change.apply(issuer.claims("a", "readers")).build()), why);
    }

    @Test
    void shouldGrantMembersOfGroupsTheRolesOfTheFile() throws Exception {
        trust(NEVER_AGAIN);
        String reader = issuer.token("alice@example.org", "readers", "unheard-of");
        assertThat(judge(reader, "site-b"))
                .isInstanceOfSatisfying(
                        Allowed.class,
                        allowed -> assertThat(allowed.principal().name()).isEqualTo("oidc:alice@example.org"));
        assertThat(judge(reader, "other")).isInstanceOf(Forbidden.class);
        assertThat(judge(issuer.token("bob", "the team"), "other")).isInstanceOf(Allowed.class);
        assertThat(judge(issuer.token("bob", "a+b"), "site-a")).isInstanceOf(Allowed.class);
        assertThat(judge(issuer.token("bob"), "site-a")).isInstanceOf(Forbidden.class);
        assertThat(judge(issuer.token("bob"), "public")).isInstanceOf(Allowed.class);
        String oneText =
                issuer.signed(issuer.claims("bob").claim("groups", "x readers").build());
        assertThat(judge(oneText)).isInstanceOf(Allowed.class);
        String nonsense = issuer.signed(issuer.claims("bob")
                .claim("groups", List.of(1, Map.of("readers", 1)))
                .build());
        assertThat(judge(nonsense)).isInstanceOf(Forbidden.class);
        String[] many = new String[1_200];
        Arrays.setAll(many, number -> number == 1_199 ? "readers" : "g" + number);
        assertThat(judge(issuer.token("bob", many))).isInstanceOf(Allowed.class);
        Files.writeString(directory.resolve("groups"), "readers reader@other\n");
        await().atMost(TIMEOUT).until(() -> judge(reader, "other") instanceof Allowed);
        assertThat(judge(reader)).isInstanceOf(Forbidden.class);
    }

    @Test
    void shouldReadTheConfiguredClaims() throws Exception {
        trust(
                NEVER_AGAIN,
                settings -> settings.with(Catalogue.JWT_GROUPS_CLAIM, "nested.roles")
                        .with(Catalogue.JWT_PRINCIPAL_CLAIM, "email"));
        String token = issuer.signed(issuer.claims("1", "readers")
                .claim("groups", List.of())
                .claim("email", "alice@example.org")
                .build());
        await().atMost(TIMEOUT).until(() -> !(judge(token) instanceof Undecided));
        assertThat(judge(token))
                .isInstanceOfSatisfying(
                        Allowed.class,
                        allowed -> assertThat(allowed.principal().name()).isEqualTo("oidc:alice@example.org"));
        assertRefused(issuer.token("1", "readers"), "the claim email");
    }

    @Test
    void shouldRefuseTokensOfAnotherAudienceIssuerOrTime() throws Exception {
        trust(NEVER_AGAIN);
        Instant now = Instant.now();
        assertRefused(claims -> claims.audience("another"), "audience");
        assertRefused(claims -> claims.audience((String) null), "audience");
        assertRefused(claims -> claims.issuer(issuer.url() + "/"), "issuer");
        assertRefused(claims -> claims.expirationTime(null), "expiry");
        assertRefused(claims -> claims.expirationTime(Date.from(now.minusSeconds(90))), "has expired");
        assertRefused(claims -> claims.notBeforeTime(Date.from(now.plusSeconds(90))), "valid already");
        for (String name : new String[] {null, "", "a b", "a\nb", "ä", "x".repeat(129)}) {
            assertRefused(issuer.signed(issuer.claims(name, "readers").build()), "does not name its principal");
        }
        // Clocks may differ by a minute.
        assertThat(judge(issuer.signed(issuer.claims("a", "readers")
                        .expirationTime(Date.from(now.minusSeconds(30)))
                        .notBeforeTime(Date.from(now.plusSeconds(30)))
                        .build())))
                .isInstanceOf(Allowed.class);
        assertThat(judge(issuer.signed(issuer.claims("a", "readers")
                        .audience(List.of("x", TestIssuer.AUDIENCE))
                        .build())))
                .isInstanceOf(Allowed.class);
    }

    @Test
    void shouldAcceptOnlyAlgorithmsWithPublicKeys() throws Exception {
        RSAKey rsa = TestIssuer.rsa("rsa");
        ECKey ec = TestIssuer.ec("ec");
        issuer.signWith(rsa, ec);
        trust(NEVER_AGAIN);
        JWTClaimsSet claims = issuer.claims("a", "readers").build();
        assertThat(judge(TestIssuer.signed(ec, claims))).isInstanceOf(Allowed.class);
        assertThat(judge(TestIssuer.signed(
                        new JWSHeader.Builder(JWSAlgorithm.PS384).keyID("rsa").build(),
                        claims,
                        TestIssuer.signer(rsa))))
                .isInstanceOf(Allowed.class);
        String good = TestIssuer.signed(rsa, claims);
        String payload = good.split("\\.", -1)[1];
        // One token without a signature, and one signed with the public key as a shared secret.
        assertRefused(encoded("{\"alg\":\"none\"}") + "." + payload + ".", "cannot be read");
        assertRefused(
                encoded("{\"alg\":\"None\",\"kid\":\"rsa\"}") + "." + payload + ".AA",
                "signature algorithm is not accepted");
        for (byte[] secret : List.of(
                rsa.toRSAPublicKey().getEncoded(),
                rsa.toPublicJWK().toJSONString().getBytes(UTF_8),
                rsa.toRSAPublicKey().getModulus().toByteArray())) {
            assertRefused(
                    TestIssuer.signed(
                            new JWSHeader.Builder(JWSAlgorithm.HS256)
                                    .keyID("rsa")
                                    .build(),
                            claims,
                            new MACSigner(secret)),
                    "signature algorithm is not accepted");
        }
        // Rejects a key that the token contains or links to.
        ECKey own = TestIssuer.ec("ec");
        JWSHeader header = new JWSHeader.Builder(JWSAlgorithm.ES256)
                .keyID("ec")
                .jwk(own.toPublicJWK())
                .jwkURL(java.net.URI.create(issuer.url() + "/keys"))
                .build();
        assertRefused(TestIssuer.signed(header, claims, TestIssuer.signer(own)), "not signed with a known key");
        // A key id that belongs to a key of another algorithm.
        assertRefused(
                TestIssuer.signed(
                        new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("rsa").build(), claims, TestIssuer.signer(own)),
                "not signed with a known key");
        assertRefused(good.substring(0, good.lastIndexOf('.') + 1) + "AAAA", "not signed with a known key");
        assertRefused(
                TestIssuer.signed(
                        new JWSHeader.Builder(JWSAlgorithm.ES256)
                                .keyID("ec")
                                .criticalParams(Set.of("exp"))
                                .customParam("exp", 1)
                                .build(),
                        claims,
                        TestIssuer.signer(ec)),
                "");
    }

    @Test
    void shouldNotUseWeakOrSecretKeysOfAnIssuer() throws Exception {
        RSAKey weak = weak();
        OctetSequenceKey secret =
                new OctetSequenceKey.Builder(new byte[64]).keyID("secret").build();
        ECKey good = TestIssuer.ec("good");
        issuer.signWith(weak, good);
        issuer.publishAs(text -> text.replace("{\"keys\":[", "{\"keys\":[" + secret.toJSONString() + ","));
        trust(NEVER_AGAIN, settings -> settings);
        JWTClaimsSet claims = issuer.claims("a", "readers").build();
        await().atMost(TIMEOUT).until(() -> judge(TestIssuer.signed(good, claims)) instanceof Allowed);
        String signed = TestIssuer.signed(
                new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("weak").build(),
                claims,
                new RSASSASigner(weak.toRSAPrivateKey(), Set.of(AllowWeakRSAKey.getInstance())));
        assertRefused(signed, "not signed with a known key");
    }

    private static RSAKey weak() throws JOSEException {
        return new RSAKeyGenerator(1_024, true).keyID("weak").generate();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'kty':'EC','crv':'P-999','x':'AA','y':'AA','kid':'a'}",
                "{'kty':'RSA','n':'AA','e':'AQAB','x5c':['none'],'kid':'a'}",
                "{'kid':'a'}"
            })
    void shouldUseTheOtherKeysWhenOneCannotBeRead(String strange) throws Exception {
        issuer.publishAs(text -> text.replace("{\"keys\":[", "{\"keys\":[" + strange.replace('\'', '"') + ","));
        trust(NEVER_AGAIN, settings -> settings);
        String token = issuer.token("a", "readers");
        await().atMost(TIMEOUT).until(() -> access.isIssuerAway() || !(judge(token) instanceof Undecided));
        assertThat(judge(token)).isInstanceOf(Allowed.class);
    }

    @Test
    void shouldAcceptTheTypesOfIdentityAndAccessTokensAlone() throws Exception {
        ECKey key = TestIssuer.ec("key");
        issuer.signWith(key);
        trust(NEVER_AGAIN);
        JWTClaimsSet claims = issuer.claims("a", "readers").build();
        for (String type : List.of("JWT", "jwt", "at+jwt", "application/at+jwt")) {
            assertThat(judge(typed(type, key, claims))).as(type).isInstanceOf(Allowed.class);
        }
        assertRefused(typed("logout+jwt", key, claims), "typ");
    }

    private static String typed(String type, ECKey key, JWTClaimsSet claims) {
        JWSHeader header = new JWSHeader.Builder(JWSAlgorithm.ES256)
                .keyID(key.getKeyID())
                .type(new JOSEObjectType(type))
                .build();
        return TestIssuer.signed(header, claims, TestIssuer.signer(key));
    }

    @Test
    void shouldFetchNewKeysOfTheIssuer() throws Exception {
        trust(Duration.ofMillis(200));
        String before = issuer.token("a", "readers");
        ECKey second = TestIssuer.ec("two");
        issuer.signWith(second);
        String after = issuer.token("a", "readers");
        assertThat(judge(after)).isNotInstanceOf(Allowed.class);
        await().atMost(TIMEOUT).until(() -> judge(after) instanceof Allowed);
        assertRefused(before, "not signed with a known key");
    }

    @Test
    void shouldUseCachedKeysWhileTheIssuerIsAway() throws Exception {
        trust(Duration.ofMillis(50));
        String token = issuer.token("a", "readers");
        issuer.answer(503);
        assertThat(judge(TestIssuer.signed(
                        TestIssuer.ec("two"), issuer.claims("a").build())))
                .isInstanceOfAny(Undecided.class, Unauthenticated.class);
        await().atMost(TIMEOUT).until(() -> {
            judge(TestIssuer.signed(TestIssuer.ec("two"), issuer.claims("a").build()));
            return access.isIssuerAway();
        });
        assertThat(judge(token)).isInstanceOf(Allowed.class);
        issuer.answer(200);
        await().atMost(TIMEOUT).until(() -> !access.isIssuerAway());
        assertThat(judge(token)).isInstanceOf(Allowed.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"another issuer", "no keys", "elsewhere", "huge", "text", "deep"})
    void shouldRefuseTokensWhileTheIssuerSendsInvalidResponses(String answer) throws Exception {
        switch (answer) {
            case "another issuer" -> issuer.discoverAs(text -> text.replace("/realm\"", "/other\""));
            case "no keys" -> issuer.publishAs(text -> "{\"keys\":[]}");
            case "elsewhere" -> issuer.discoverAs(text -> text.replace("http://127.0.0.1", "http://strake.example"));
            case "huge" -> issuer.publishAs(text -> " ".repeat(300_000) + text);
            case "text" -> issuer.discoverAs(text -> "<html>");
            default -> issuer.publishAs(text -> "[".repeat(100_000));
        }
        trust(Duration.ofMillis(50), settings -> settings);
        await().atMost(TIMEOUT).until(access::isIssuerAway);
        assertThat(judge(issuer.token("a", "readers"))).isNotInstanceOfAny(Allowed.class, Forbidden.class);
        issuer.discoverAs(text -> text);
        issuer.publishAs(text -> text);
        await().atMost(TIMEOUT).until(() -> judge(issuer.token("a", "readers")) instanceof Allowed);
    }

    @Test
    void shouldStartWithoutTheIssuerAndRefuseTokensUntilItAnswers() throws Exception {
        issuer.answer(500);
        trust(Duration.ofMillis(50), settings -> settings);
        await().atMost(TIMEOUT).until(access::isIssuerAway);
        assertThat(judge(issuer.token("a", "readers"))).isNotInstanceOfAny(Allowed.class, Forbidden.class);
        issuer.answer(200);
        await().atMost(TIMEOUT).until(() -> judge(issuer.token("a", "readers")) instanceof Allowed);
    }

    @Test
    void shouldAcceptTokensOfTheFileAndOfTheIssuer() throws Exception {
        Token token = Token.create();
        Path file = Files.writeString(
                directory.resolve("tokens"), token.line("ci", List.of(Grant.parse("reader@*"))) + "\n");
        trust(NEVER_AGAIN, settings -> settings.with(Catalogue.ACCESS_TOKENS, file));
        assertThat(judge(token.secret())).isInstanceOf(Allowed.class);
        await().atMost(TIMEOUT).until(() -> judge(issuer.token("a", "readers")) instanceof Allowed);
        assertThat(judge(Token.create().secret())).isInstanceOf(Unauthenticated.class);
    }

    private static String encoded(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(UTF_8));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            readers              | line 1: the group has to be followed by grants
            readers reader       | line 1: reader@ has to be followed by workspaces
            %zz reader@*         | line 1:
            """)
    void shouldRefuseToStartWithInvalidGroups(String line, String why) throws Exception {
        Settings settings = settings();
        Files.writeString(directory.resolve("groups"), line + "\n");
        assertThatThrownBy(() -> JsonWebTokens.of(settings))
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContainingAll("strake.access.jwt.groups", why);
    }

    @Test
    void shouldRefuseToStartWithIncompleteSettingsOrAnUnsafeIssuer() throws Exception {
        assertThatThrownBy(() -> JsonWebTokens.of(Settings.defaults().with(Catalogue.JWT_ISSUER, issuer.url())))
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContaining("belong together");
        for (String url : List.of("http://issuer.example", "https://user:password@issuer.example", "https://:80")) {
            Settings settings = settings().with(Catalogue.JWT_ISSUER, url);
            assertThatThrownBy(() -> JsonWebTokens.of(settings))
                    .isInstanceOf(MisconfiguredException.class)
                    .hasMessageContaining("https://");
        }
    }

    @Test
    void shouldAcceptKeysWithoutAnId() throws Exception {
        ECKey nameless = new ECKey.Builder(TestIssuer.ec("x")).keyID(null).build();
        JWK[] keys = {TestIssuer.ec("other"), nameless};
        issuer.signWith(keys);
        trust(NEVER_AGAIN, settings -> settings);
        JWTClaimsSet claims = issuer.claims("a", "readers").build();
        await().atMost(TIMEOUT).until(() -> judge(TestIssuer.signed(nameless, claims)) instanceof Allowed);
    }
}
