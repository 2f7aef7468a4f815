package dev.strake.remote.fetch.source;

import dev.strake.engine.tree.Hasher;
import java.util.Map;
import java.util.Optional;

/**
 * An HTTP response with status 200.
 *
 * @param body the unpacked body
 * @param headers the headers, by name in lower case; the first of several with the same name
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record HttpAnswer(byte[] body, Map<String, String> headers) {

    HttpAnswer {
        headers = Map.copyOf(headers);
    }

    Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name));
    }

    /** Returns what identifies this state of the source: the ETag, or the hash of the body. */
    String revision() {
        return header("etag").orElseGet(() -> "sha256:" + Hasher.hex(body));
    }

    /** Never shows the content. */
    @Override
    public String toString() {
        return "Answer[" + body.length + " bytes]";
    }
}
