package dev.strake.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A bucket that lets in who signs with version 4, worked out here anew from the rules of AWS, or has the right token. */
public final class S3Stub implements AutoCloseable {

    public static final String ID = "AKIDEXAMPLE";
    public static final String SECRET = "planted-secret-key";
    public static final String TOKEN = "planted-bearer";

    public final TreeMap<String, String> objects = new TreeMap<>();
    public final List<String> asked = new CopyOnWriteArrayList<>();
    public int pageSize = 1000;

    static {
        // Otherwise each answer of more than one packet waits for 40 ms.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private final HttpServer server;

    public S3Stub() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try {
                answer(exchange);
            } catch (GeneralSecurityException e) {
                throw new IOException(e);
            } finally {
                exchange.close();
            }
        });
        server.start();
    }

    public String url(String path) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    private void answer(HttpExchange exchange) throws IOException, GeneralSecurityException {
        String path = exchange.getRequestURI().getRawPath();
        asked.add(path);
        String authorization = exchange.getRequestHeaders().getFirst("Authorization");
        boolean isLetIn = ("bearer " + TOKEN).equals(authorization)
                || (authorization != null && authorization.equals(expected(exchange, authorization)));
        if (!isLetIn) {
            SourceServer.send(exchange, 403, "<Error/>".getBytes(StandardCharsets.UTF_8));
            return;
        }
        if (path.equals("/bucket")) {
            SourceServer.send(exchange, 200, list(exchange).getBytes(StandardCharsets.UTF_8));
            return;
        }
        String object =
                objects.get(URLDecoder.decode(path, StandardCharsets.UTF_8).substring("/bucket/".length()));
        exchange.getResponseHeaders()
                .set("ETag", "\"" + (object == null ? "" : Sha256.hex(object.getBytes(StandardCharsets.UTF_8))) + "\"");
        SourceServer.send(
                exchange,
                object == null ? 404 : 200,
                object == null ? new byte[0] : object.getBytes(StandardCharsets.UTF_8));
    }

    private String list(HttpExchange exchange) {
        Map<String, String> query = new HashMap<>();
        for (String part : exchange.getRequestURI().getRawQuery().split("&", -1)) {
            int equals = part.indexOf('=');
            query.put(part.substring(0, equals), URLDecoder.decode(part.substring(equals + 1), StandardCharsets.UTF_8));
        }
        String after = query.getOrDefault("continuation-token", "");
        List<String> keys = objects.keySet().stream()
                .filter(key -> key.startsWith(query.get("prefix")) && key.compareTo(after) > 0)
                .toList();
        List<String> page = keys.subList(0, Math.min(pageSize, keys.size()));
        boolean isCut = page.size() < keys.size();
        StringBuilder xml = new StringBuilder(
                "<?xml version=\"1.0\"?><ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">");
        xml.append("<IsTruncated>").append(isCut).append("</IsTruncated>");
        if (isCut) {
            xml.append("<NextContinuationToken>")
                    .append(page.get(page.size() - 1))
                    .append("</NextContinuationToken>");
        }
        for (String key : page) {
            xml.append("<Contents><Key>")
                    .append(key)
                    .append("</Key><ETag>\"")
                    .append(Sha256.hex(objects.get(key).getBytes(StandardCharsets.UTF_8)))
                    .append("\"</ETag></Contents>");
        }
        return xml.append("</ListBucketResult>").toString();
    }

    private static String expected(HttpExchange exchange, String authorization) throws GeneralSecurityException {
        if (!authorization.matches("AWS4-HMAC-SHA256 Credential=.*, ?SignedHeaders=.*, ?Signature=.*")) {
            return "";
        }
        String scope = authorization.replaceAll(".*Credential=[^/]*/([^,]*),.*", "$1");
        String signed = authorization.replaceAll(".*SignedHeaders=([^,]*),.*", "$1");
        String query = exchange.getRequestURI().getRawQuery() == null
                ? ""
                : Stream.of(exchange.getRequestURI().getRawQuery().split("&"))
                        .sorted()
                        .collect(Collectors.joining("&"));
        String headers = Arrays.stream(signed.split(";"))
                .map(name ->
                        name + ":" + exchange.getRequestHeaders().getFirst(name).strip() + "\n")
                .collect(Collectors.joining());
        String payload = exchange.getRequestHeaders().getFirst("x-amz-content-sha256");
        String canonical =
                String.join("\n", "GET", exchange.getRequestURI().getRawPath(), query, headers, signed, payload);
        String toSign = String.join(
                "\n",
                "AWS4-HMAC-SHA256",
                exchange.getRequestHeaders().getFirst("x-amz-date"),
                scope,
                HexFormat.of()
                        .formatHex(MessageDigest.getInstance("SHA-256")
                                .digest(canonical.getBytes(StandardCharsets.UTF_8))));
        byte[] key = ("AWS4" + SECRET).getBytes(StandardCharsets.UTF_8);
        for (String part : scope.split("/", -1)) {
            key = hmac(key, part);
        }
        String separator = authorization.contains(", SignedHeaders") ? ", " : ",";
        return "AWS4-HMAC-SHA256 Credential=" + ID + "/" + scope + separator + "SignedHeaders=" + signed + separator
                + "Signature=" + HexFormat.of().formatHex(hmac(key, toSign));
    }

    private static byte[] hmac(byte[] key, String text) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
