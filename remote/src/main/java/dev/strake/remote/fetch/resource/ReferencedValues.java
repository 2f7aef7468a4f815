package dev.strake.remote.fetch.resource;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.secret.Redaction;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.remote.fetch.policy.FetchException;
import dev.strake.remote.fetch.policy.FetchException.Code;
import dev.strake.serdes.rendered.RenderedRecord;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Looks up values that a resource takes from other documents of its workspace. */
public record ReferencedValues(Documents documents) {

    /** The rendered documents that resources refer to. */
    public interface Documents {

        /** Returns the record of a document; empty if it does not exist. */
        Optional<RenderedRecord> find(DocumentKey key) throws FetchException;
    }

    private static final String DATA = "data";
    private static final String PLAIN = "stringData";

    /**
     * Returns all headers of a request, in Razee's order: those of the resource, then each of {@code headersFrom},
     * which override earlier ones. Names are case-insensitive.
     *
     * @throws FetchException if a value is missing or unusable; the message names the document
     */
    public Map<String, Hidden> headers(FetchRequest request) throws FetchException {
        Map<String, Hidden> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (Map.Entry<String, HeaderValue> header : request.headers().entrySet()) {
            headers.put(header.getKey(), value(header.getValue()));
        }
        for (MapReference from : request.headersFrom()) {
            Optional<Map<String, Hidden>> all = all(from);
            if (all.isPresent()) {
                for (Map.Entry<String, Hidden> header : all.get().entrySet()) {
                    if (!RemoteResourceReader.isConditional(header.getKey())) {
                        headers.put(header.getKey(), header.getValue());
                    }
                }
            }
        }
        for (Map.Entry<String, Hidden> header : headers.entrySet()) {
            if (RemoteResourceReader.hasControls(header.getValue().text())) {
                throw new FetchException(
                        Code.REFERENCE, "the value of the header " + header.getKey() + " has a control character");
            }
        }
        return headers;
    }

    /** Returns a given value, or looks it up in its secret. */
    public Hidden value(HeaderValue value) throws FetchException {
        if (value instanceof HeaderValue.Given given) {
            return given.text();
        }
        HeaderValue.FromSecret from = (HeaderValue.FromSecret) value;
        Map<String, Hidden> all = all(from.secret()).orElseThrow(() -> missing(from.secret()));
        Hidden found = all.get(from.key());
        if (found == null || found.text().isEmpty()) {
            throw new FetchException(
                    Code.REFERENCE,
                    "%s has no value with the key %s".formatted(from.secret().document(), from.key()));
        }
        return found;
    }

    private static FetchException missing(MapReference reference) {
        return new FetchException(Code.REFERENCE, "there is no document " + reference.document() + " in the workspace");
    }

    private Optional<Map<String, Hidden>> all(MapReference reference) throws FetchException {
        Optional<RenderedRecord> record = documents.find(reference.document());
        if (record.isEmpty() && reference.optional()) {
            return Optional.empty();
        }
        MapValue document = record.flatMap(RenderedRecord::document).orElseThrow(() -> missing(reference));
        if (record.orElseThrow().isEncrypted()) {
            throw new FetchException(
                    Code.REFERENCE,
                    "%s is sealed: this installation publishes secrets encrypted, and this fetcher has no key to decrypt them (--secrets-keyset)"
                            .formatted(reference.document()));
        }
        if (Redaction.maskIn(document) != null) {
            throw new FetchException(
                    Code.REFERENCE,
                    "%s is masked: this installation publishes secrets redacted, and a mask is never sent"
                            .formatted(reference.document()));
        }
        MapValue object = document.map(DATA);
        if (!(object.get(DATA) instanceof MapValue) && !(object.get(PLAIN) instanceof MapValue)) {
            throw new FetchException(Code.REFERENCE, reference.document() + " is not an object with data");
        }
        Map<String, Hidden> values = new LinkedHashMap<>();
        for (String key : object.map(DATA).keys()) {
            String text = text(object.map(DATA).get(key), reference, key);
            values.put(key, new Hidden(reference.isSecret() ? decoded(text, reference, key) : text));
        }
        if (reference.isSecret()) {
            for (String key : object.map(PLAIN).keys()) {
                values.put(key, new Hidden(text(object.map(PLAIN).get(key), reference, key)));
            }
        }
        return Optional.of(values);
    }

    private static String text(Value value, MapReference reference, String key) throws FetchException {
        if (value instanceof Text text) {
            return text.value();
        }
        if (value instanceof Num number) {
            return number.literal();
        }
        if (value instanceof Bool flag) {
            return Boolean.toString(flag.value());
        }
        throw new FetchException(
                Code.REFERENCE, "%s: %s has to be text, a number or a boolean".formatted(reference.document(), key));
    }

    private static String decoded(String text, MapReference reference, String key) throws FetchException {
        try {
            return new String(Base64.getMimeDecoder().decode(text), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new FetchException(Code.REFERENCE, "%s: %s is not in base64".formatted(reference.document(), key));
        }
    }
}
