package dev.strake.remote.fetch.source;

import dev.strake.remote.fetch.policy.Address;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Proxy;
import java.net.URL;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.TrustManager;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.eclipse.jgit.transport.http.HttpConnection;
import org.eclipse.jgit.transport.http.HttpConnectionFactory;

/**
 * A request of JGit, sent by {@link HttpSource}, so that the fetch policy applies to the git protocol, too. The size of
 * the response is limited.
 */
final class GitConnection implements HttpConnection {

    private final HttpSource http;
    private final Address address;
    private final URL url;
    private final long most;
    private final Map<String, String> headers = new LinkedHashMap<>();
    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
    private String method = "GET";
    private boolean sends;
    private HttpUriRequestBase request;
    private ClassicHttpResponse response;

    private GitConnection(HttpSource http, URL url, Address address, long most) {
        this.http = http;
        this.url = url;
        this.address = address;
        this.most = most;
    }

    /**
     * Creates a factory of connections.
     *
     * @param most the maximum size of a response in bytes
     */
    static HttpConnectionFactory factory(HttpSource http, long most) {
        return new HttpConnectionFactory() {
            @Override
            public HttpConnection create(URL url) throws IOException {
                return new GitConnection(http, url, Address.of(url.toString()), most);
            }

            @Override
            public HttpConnection create(URL url, Proxy proxy) throws IOException {
                return create(url); // proxies are not used: they would resolve names themselves
            }
        };
    }

    @Override
    public void connect() throws IOException {
        if (response != null) {
            return;
        }
        request = new HttpUriRequestBase(method, address.uri());
        headers.forEach((name, value) -> {
            if (!name.equalsIgnoreCase("Content-Length") && !name.equalsIgnoreCase("Content-Type")) {
                request.setHeader(name, value);
            }
        });
        if (sends) {
            String type = headers.getOrDefault("Content-Type", "application/octet-stream");
            request.setEntity(new ByteArrayEntity(sent.toByteArray(), ContentType.parse(type)));
        }
        response = http.send(request, address);
    }

    @Override
    public int getResponseCode() throws IOException {
        connect();
        return response.getCode();
    }

    @Override
    public String getResponseMessage() throws IOException {
        connect();
        return response.getReasonPhrase();
    }

    @Override
    public URL getURL() {
        return url;
    }

    @Override
    public Map<String, List<String>> getHeaderFields() {
        Map<String, List<String>> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (Header header : response.getHeaders()) {
            fields.computeIfAbsent(header.getName(), name -> new ArrayList<>()).add(header.getValue());
        }
        return fields;
    }

    @Override
    public String getHeaderField(String name) {
        Header header = response.getFirstHeader(name);
        return header == null ? null : header.getValue();
    }

    @Override
    public List<String> getHeaderFields(String name) {
        return getHeaderFields().getOrDefault(name, List.of());
    }

    @Override
    public String getContentType() {
        return getHeaderField("Content-Type");
    }

    @Override
    public int getContentLength() {
        String length = getHeaderField("Content-Length");
        return length != null && length.matches("[0-9]{1,9}") ? Integer.parseInt(length) : -1;
    }

    @Override
    public InputStream getInputStream() throws IOException {
        connect();
        if (response.getEntity() == null) {
            return new ByteArrayInputStream(new byte[0]);
        }
        // JGit asks for gzip and unpacks the response itself.
        return new BoundedInputStream(response.getEntity().getContent(), address, most);
    }

    @Override
    public OutputStream getOutputStream() {
        sends = true;
        return sent;
    }

    @Override
    public void setRequestMethod(String name) {
        method = name;
    }

    @Override
    public String getRequestMethod() {
        return method;
    }

    @Override
    public void setRequestProperty(String key, String value) {
        headers.put(key, value);
    }

    @Override
    public void setDoOutput(boolean isSending) {
        sends = isSending;
    }

    @Override
    public boolean usingProxy() {
        return false;
    }

    @Override
    public void setUseCaches(boolean usesCaches) {
        // There are no caches.
    }

    @Override
    public void setConnectTimeout(int timeout) {
        // The policy sets the timeout.
    }

    @Override
    public void setReadTimeout(int timeout) {
        // The policy sets the timeout.
    }

    @Override
    public void setInstanceFollowRedirects(boolean follows) {
        // Redirects are never followed here; JGit is configured not to follow them, either.
    }

    @Override
    public void setFixedLengthStreamingMode(int contentLength) {
        // Requests are small and buffered.
    }

    @Override
    public void setChunkedStreamingMode(int chunk) {
        // Requests are small and buffered.
    }

    @Override
    public void setHostnameVerifier(HostnameVerifier verifier) {
        throw new UnsupportedOperationException("certificates are checked always");
    }

    @Override
    public void configure(KeyManager[] keys, TrustManager[] trusted, java.security.SecureRandom random) {
        throw new UnsupportedOperationException("certificates are checked always");
    }
}
