package dev.strake.remote.apply.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.remote.apply.Applied;
import dev.strake.remote.apply.DocumentResult;
import dev.strake.remote.apply.RemovalRule;
import dev.strake.remote.apply.TargetChange.Kind;
import dev.strake.remote.apply.Workspace;
import dev.strake.serdes.change.RemovalLimit;
import dev.strake.testing.TestAuthority;
import dev.strake.testing.TestAuthority.Issued;
import dev.strake.testing.kubernetes.TestCluster;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Uses HTTP/2 over TLS and client certificates, like real API servers of Kubernetes. */
class KubernetesOverHttp2Test {

    private static final String PASSWORD = "of-a-key-store";

    @TempDir
    Path folder;

    private final List<String> protocols = new CopyOnWriteArrayList<>();

    @ParameterizedTest
    @ValueSource(strings = {"RSA", "EC", "EC as k3s writes it"})
    void shouldApplyAndRemoveObjectsAsTheOwnerOfACertificate(String algorithm) throws Exception {
        TestAuthority authority = TestAuthority.create();
        Server front = new Server();
        try (TestCluster cluster = TestCluster.start()) {
            String behind =
                    Files.readString(cluster.kubeconfig(folder)).replaceAll("(?s).*server: \"([^\"]+)\".*", "$1");
            ServerConnector connector = connector(front, authority);
            front.setHandler(new Forwarding(behind));
            front.start();
            Issued user = authority.issue(
                    TestAuthority.ask("applier").algorithm(algorithm.startsWith("EC") ? "EC" : algorithm));
            String key = algorithm.contains(" ") ? withItsCurve(user.key()) : user.key();
            Path kubeconfig = Files.writeString(folder.resolve("over-tls"), """
                apiVersion: v1
                kind: Config
                current-context: here
                contexts: [{name: here, context: {cluster: here, user: me, namespace: "%s"}}]
                clusters: [{name: here, cluster: {server: "https://127.0.0.1:%d", certificate-authority-data: %s}}]
                users: [{name: me, user: {client-certificate-data: %s, client-key-data: %s}}]
                """.formatted(
                            cluster.namespace(),
                            connector.getLocalPort(),
                            base64(authority.pem()),
                            base64(user.pem()),
                            base64(key)));
            Workspace workspace = new Workspace();
            workspace.object("ConfigMap/a", map("a", "1")).object("ConfigMap/b", map("b", "1"));
            try (ApiServer server = ApiServer.connect(Optional.of(kubeconfig), Optional.empty(), (method, code) -> {});
                    KubernetesTarget target = target(server)) {
                assertThat(target.apply(workspace.whole(), Workspace.ANYWHERE).count(Kind.CREATE))
                        .isEqualTo(2);
                workspace.object("ConfigMap/a", map("a", "2")).removeObject("ConfigMap/b");
                Applied applied = target.apply(workspace.revision(), Workspace.ANYWHERE);
                assertThat(applied.summary()).contains("1 replaced, 1 removed");
            }
            assertThat(cluster.object(cluster.maps() + "a").at("/data/x").asText())
                    .isEqualTo("2");
            assertThat(cluster.object(cluster.maps() + "b")).isNull();
            assertThat(protocols).isNotEmpty().containsOnly("HTTP/2.0");
        } finally {
            front.stop();
        }
    }

    private static String withItsCurve(String pem) throws Exception {
        PrivateKeyInfo key =
                PrivateKeyInfo.getInstance(Base64.getMimeDecoder().decode(pem.replaceAll("-----.*-----", "")));
        var curve = key.getPrivateKeyAlgorithm().getParameters();
        var secret = ECPrivateKey.getInstance(key.parsePrivateKey()).getKey();
        byte[] whole = new ECPrivateKey(256, secret, curve).getEncoded();
        return "-----BEGIN EC PRIVATE KEY-----\n" + Base64.getMimeEncoder().encodeToString(whole)
                + "\n-----END EC PRIVATE KEY-----\n";
    }

    private static KubernetesTarget target(ApiServer server) {
        return new KubernetesTarget(
                server,
                new KubernetesTarget.Options(
                        Workspace.NAME,
                        server.namespace(),
                        new RemovalRule(Optional.of(RemovalLimit.parse("100%"))),
                        false,
                        new KubernetesTarget.Drift(true, Duration.ofHours(1)),
                        "razeedeploy",
                        Object::toString),
                DocumentResult.Listener.NONE);
    }

    private static ServerConnector connector(Server server, TestAuthority authority) throws Exception {
        byte[] own = authority.issue(TestAuthority.ask("127.0.0.1")).pkcs12(PASSWORD);
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(new ByteArrayInputStream(own), PASSWORD.toCharArray());
        SslContextFactory.Server tls = new SslContextFactory.Server();
        tls.setKeyStore(store);
        tls.setKeyStorePassword(PASSWORD);
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry(
                "ca",
                CertificateFactory.getInstance("X.509")
                        .generateCertificate(
                                new ByteArrayInputStream(authority.pem().getBytes(UTF_8))));
        tls.setTrustStore(trusted);
        tls.setNeedClientAuth(true);
        HttpConfiguration https = new HttpConfiguration();
        https.addCustomizer(new SecureRequestCustomizer(false));
        ALPNServerConnectionFactory alpn = new ALPNServerConnectionFactory();
        alpn.setDefaultProtocol("h2");
        ServerConnector connector = new ServerConnector(
                server,
                new SslConnectionFactory(tls, alpn.getProtocol()),
                alpn,
                new HTTP2ServerConnectionFactory(https));
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        return connector;
    }

    /** Forwards requests to the cluster. */
    private final class Forwarding extends Handler.Abstract {

        private final HttpClient client = HttpClient.newHttpClient();
        private final String behind;

        Forwarding(String behind) {
            this.behind = behind;
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback) throws Exception {
            protocols.add(request.getConnectionMetaData().getProtocol());
            byte[] body = Content.Source.asByteBuffer(request).array();
            var forwarded = java.net.http.HttpRequest.newBuilder(
                            URI.create(behind + request.getHttpURI().getPathQuery()))
                    .method(
                            request.getMethod(),
                            body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
            String type = request.getHeaders().get("Content-Type");
            if (type != null) {
                forwarded.setHeader("Content-Type", type);
            }
            HttpResponse<byte[]> answer = client.send(forwarded.build(), BodyHandlers.ofByteArray());
            response.setStatus(answer.statusCode());
            response.getHeaders().put("Content-Type", "application/json");
            response.write(true, ByteBuffer.wrap(answer.body()), callback);
            return true;
        }
    }

    private static String map(String name, String value) {
        return "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'%s'},'data':{'x':'%s'}}"
                .formatted(name, value);
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }
}
