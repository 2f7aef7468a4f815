package dev.strake.server.access;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** A token issuer on its own port, with responses controlled by the test. */
public final class TestIssuer implements AutoCloseable {

    public static final String AUDIENCE = "strake";

    private final HttpServer server;
    private volatile List<JWK> keys;
    private volatile UnaryOperator<String> discovery = text -> text;
    private volatile UnaryOperator<String> published = text -> text;
    private volatile int status = 200;

    private TestIssuer(HttpServer server) {
        this.server = server;
    }

    public static TestIssuer start() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        TestIssuer issuer = new TestIssuer(server);
        issuer.keys = List.of(ec("one"));
        server.createContext(
                "/realm/.well-known/openid-configuration",
                exchange -> issuer.answer(
                        exchange,
                        issuer.discovery.apply(
                                "{\"issuer\":\"%s\",\"jwks_uri\":\"%s/keys\"}".formatted(issuer.url(), issuer.url()))));
        server.createContext(
                "/realm/keys",
                exchange -> issuer.answer(exchange, issuer.published.apply(new JWKSet(issuer.keys).toString())));
        server.start();
        return issuer;
    }

    private void answer(HttpExchange exchange, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/realm";
    }

    void signWith(JWK... others) {
        keys = List.of(others);
    }

    void answer(int otherStatus) {
        status = otherStatus;
    }

    void discoverAs(UnaryOperator<String> change) {
        discovery = change;
    }

    void publishAs(UnaryOperator<String> change) {
        published = change;
    }

    static ECKey ec(String id) {
        try {
            return new ECKeyGenerator(Curve.P_256).keyID(id).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    static RSAKey rsa(String id) {
        try {
            return new RSAKeyGenerator(2_048).keyID(id).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns a valid token for a member of groups. */
    public String token(String subject, String... groups) {
        return signed(keys.get(0), claims(subject, groups).build());
    }

    /** Returns valid claims, which a test may change. */
    JWTClaimsSet.Builder claims(String subject, String... groups) {
        return new JWTClaimsSet.Builder()
                .issuer(url())
                .audience(AUDIENCE)
                .subject(subject)
                .issueTime(Date.from(Instant.now()))
                .expirationTime(Date.from(Instant.now().plusSeconds(3_600)))
                .claim("groups", List.of(groups))
                .claim("nested", Map.of("roles", List.of(groups)));
    }

    String signed(JWTClaimsSet claims) {
        return signed(keys.get(0), claims);
    }

    static String signed(JWK key, JWTClaimsSet claims) {
        JWSAlgorithm algorithm = key instanceof ECKey ? JWSAlgorithm.ES256 : JWSAlgorithm.RS256;
        return signed(
                new JWSHeader.Builder(algorithm)
                        .keyID(key.getKeyID())
                        .type(JOSEObjectType.JWT)
                        .build(),
                claims,
                signer(key));
    }

    static String signed(JWSHeader header, JWTClaimsSet claims, JWSSigner signer) {
        try {
            SignedJWT token = new SignedJWT(header, claims);
            token.sign(signer);
            return token.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    static JWSSigner signer(JWK key) {
        try {
            return key instanceof ECKey ec ? new ECDSASigner(ec) : new RSASSASigner((RSAKey) key);
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
