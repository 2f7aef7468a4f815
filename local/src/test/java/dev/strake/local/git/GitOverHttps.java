package dev.strake.local.git;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.strake.testing.TestAuthority;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.GZIPInputStream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.transport.PacketLineOut;
import org.eclipse.jgit.transport.ReceivePack;
import org.eclipse.jgit.transport.RefAdvertiser.PacketLineOutRefAdvertiser;
import org.eclipse.jgit.transport.UploadPack;

/** A repository over https, to read and to push, for one user. */
public final class GitOverHttps implements AutoCloseable {

    private static final String PASSWORD = "of-a-key-store";

    private final HttpsServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    public GitOverHttps(Repository repository, TestAuthority authority, String user, String password)
            throws IOException, GeneralSecurityException {
        String expected = "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(UTF_8));
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.setHttpsConfigurator(new HttpsConfigurator(context(authority)));
        server.createContext("/repo.git", exchange -> {
            try (exchange) {
                if (expected.equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
                    serve(repository, exchange);
                } else {
                    exchange.getResponseHeaders().set("WWW-Authenticate", "Basic realm=\"test\"");
                    exchange.sendResponseHeaders(401, -1);
                }
            }
        });
        server.start();
    }

    private static SSLContext context(TestAuthority authority) throws IOException, GeneralSecurityException {
        byte[] own =
                authority.issue(TestAuthority.ask("127.0.0.1", "localhost")).pkcs12(PASSWORD);
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(new ByteArrayInputStream(own), PASSWORD.toCharArray());
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }

    private static void serve(Repository repository, HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        boolean isAdvertisement = path.endsWith("/info/refs");
        String service = isAdvertisement
                ? exchange.getRequestURI().getQuery().replace("service=", "")
                : path.substring(path.lastIndexOf('/') + 1);
        exchange.getResponseHeaders()
                .set("Content-Type", "application/x-" + service + (isAdvertisement ? "-advertisement" : "-result"));
        UploadPack upload = new UploadPack(repository);
        upload.setBiDirectionalPipe(false);
        ReceivePack receive = new ReceivePack(repository);
        receive.setBiDirectionalPipe(false);
        boolean isPush = service.equals("git-receive-pack");
        InputStream body = exchange.getRequestBody();
        boolean isPacked = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
        InputStream in = isPacked ? new GZIPInputStream(body) : body;
        exchange.sendResponseHeaders(200, 0);
        if (isAdvertisement) {
            PacketLineOut out = new PacketLineOut(exchange.getResponseBody());
            out.writeString("# service=" + service + "\n");
            out.end();
            PacketLineOutRefAdvertiser refs = new PacketLineOutRefAdvertiser(out);
            if (isPush) {
                receive.sendAdvertisedRefs(refs);
            } else {
                upload.sendAdvertisedRefs(refs);
            }
        } else if (isPush) {
            receive.receive(in, exchange.getResponseBody(), null);
        } else {
            upload.upload(in, exchange.getResponseBody(), null);
        }
    }

    /** Where the repository is. */
    public String url() {
        return "https://127.0.0.1:" + server.getAddress().getPort() + "/repo.git";
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
