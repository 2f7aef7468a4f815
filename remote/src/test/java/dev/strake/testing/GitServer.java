package dev.strake.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPInputStream;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.transport.PacketLineOut;
import org.eclipse.jgit.transport.RefAdvertiser;
import org.eclipse.jgit.transport.UploadPack;

/** Serves a repository over HTTP to clients with the right header. */
public final class GitServer implements AutoCloseable {

    private final HttpServer server;
    public final List<String> asked = new CopyOnWriteArrayList<>();

    public GitServer(Repository repository, String authorization) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/repo.git", exchange -> {
            asked.add(exchange.getRequestURI().toString());
            if (!authorization.equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
                exchange.getResponseHeaders().set("WWW-Authenticate", "Basic realm=\"test\"");
                exchange.sendResponseHeaders(401, -1);
            } else {
                serve(repository, exchange);
            }
            exchange.close();
        });
        server.start();
    }

    private static void serve(Repository repository, HttpExchange exchange) throws IOException {
        UploadPack pack = new UploadPack(repository);
        pack.setBiDirectionalPipe(false);
        if (exchange.getRequestURI().getPath().endsWith("/info/refs")) {
            exchange.getResponseHeaders().set("Content-Type", "application/x-git-upload-pack-advertisement");
            exchange.sendResponseHeaders(200, 0);
            PacketLineOut out = new PacketLineOut(exchange.getResponseBody());
            out.writeString("# service=git-upload-pack\n");
            out.end();
            pack.sendAdvertisedRefs(new RefAdvertiser.PacketLineOutRefAdvertiser(out));
        } else {
            boolean isPacked = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
            InputStream in = exchange.getRequestBody();
            exchange.getResponseHeaders().set("Content-Type", "application/x-git-upload-pack-result");
            exchange.sendResponseHeaders(200, 0);
            pack.upload(isPacked ? new GZIPInputStream(in) : in, exchange.getResponseBody(), null);
        }
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/repo.git";
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
