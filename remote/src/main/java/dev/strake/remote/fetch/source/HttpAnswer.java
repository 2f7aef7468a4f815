package dev.strake.remote.fetch.source;

import dev.strake.engine.tree.Hasher;
import java.util.Map;
import java.util.Optional;

/**
 * An answer of HTTP with the status 200.
 *
 * @param body unpacked
 * @param headers by name in lower case; of several with one name the first
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record HttpAnswer(byte[] body, Map<String, String> headers) {

    HttpAnswer {
        headers = Map.copyOf(headers);
    }

    Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name));
    }

    /** What tells this state of the source from others: its ETag, or the hash of the body. */
    String revision() {
        return header("etag").orElseGet(() -> "sha256:" + Hasher.hex(body));
    }

    /** Shows no content. */
    @Override
    public String toString() {
        return "Answer[" + body.length + " bytes]";
    }
}
