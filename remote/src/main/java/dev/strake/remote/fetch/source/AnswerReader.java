package dev.strake.remote.fetch.source;

import dev.strake.remote.fetch.policy.Address;
import dev.strake.remote.fetch.policy.FetchException;
import dev.strake.remote.fetch.policy.FetchException.Code;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;

/**
 * Reads HTTP responses: content, "not modified", or a redirect. Limits the number of bytes, both packed and unpacked.
 *
 * @param most the maximum size of an answer in bytes
 */
record AnswerReader(long most) {

    private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);
    private static final int OK = 200;
    private static final int NOT_MODIFIED = 304;

    /**
     * The result of a request.
     *
     * @param answer the answer; null for a redirect
     * @param redirect the target of a redirect; null for an answer
     */
    record Step(HttpAnswer answer, Address redirect) {}

    /**
     * Reads a response.
     *
     * @param last the last answer, if the request was conditional on it
     * @throws FetchException if the response is neither of these
     */
    Step read(ClassicHttpResponse response, Address address, Optional<HttpAnswer> last) throws IOException {
        int status = response.getCode();
        if (status == NOT_MODIFIED && last.isPresent()) {
            return new Step(last.get(), null);
        }
        Header location = response.getFirstHeader("Location");
        if (REDIRECTS.contains(status) && location != null) {
            try {
                return new Step(
                        null,
                        Address.of(address.uri().resolve(location.getValue()).toString()));
            } catch (IllegalArgumentException e) {
                throw new FetchException(Code.ANSWER, address + ": redirects to an invalid address");
            }
        }
        if (status != OK) {
            throw new FetchException(Code.ANSWER, "%s: answers %d".formatted(address, status));
        }
        Map<String, String> headers = new TreeMap<>();
        for (Header header : response.getHeaders()) {
            headers.putIfAbsent(header.getName().toLowerCase(Locale.ROOT), header.getValue());
        }
        HttpEntity entity = response.getEntity();
        String encoding = headers.getOrDefault("content-encoding", "identity").strip();
        byte[] body = entity == null ? new byte[0] : body(entity, encoding, address);
        return new Step(new HttpAnswer(body, headers), null);
    }

    private byte[] body(HttpEntity entity, String encoding, Address address) throws IOException {
        boolean isPacked = encoding.equalsIgnoreCase("gzip") || encoding.equalsIgnoreCase("x-gzip");
        if (!isPacked && !encoding.equalsIgnoreCase("identity")) {
            throw new FetchException(Code.ANSWER, address + ": has a Content-Encoding that was not requested");
        }
        InputStream raw = new BoundedInputStream(entity.getContent(), address, most);
        try {
            InputStream in = isPacked ? new BoundedInputStream(new GZIPInputStream(raw), address, most) : raw;
            byte[] body = in.readAllBytes();
            in.close(); // only after a full read, because close() would read the rest
            return body;
        } catch (ZipException e) {
            throw new FetchException(Code.ANSWER, address + ": cannot be unpacked");
        }
    }
}
