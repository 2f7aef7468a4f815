package dev.strake.serdes.rendered;

import static dev.strake.serdes.HeaderNames.BUCKET;
import static dev.strake.serdes.HeaderNames.CE_ID;
import static dev.strake.serdes.HeaderNames.CE_SOURCE;
import static dev.strake.serdes.HeaderNames.CE_SPECVERSION;
import static dev.strake.serdes.HeaderNames.CE_SUBJECT;
import static dev.strake.serdes.HeaderNames.CE_TIME;
import static dev.strake.serdes.HeaderNames.CE_TYPE;
import static dev.strake.serdes.HeaderNames.CHANGE_ID;
import static dev.strake.serdes.HeaderNames.CONTENT_HASH;
import static dev.strake.serdes.HeaderNames.CONTENT_TYPE;
import static dev.strake.serdes.HeaderNames.DERIVED_FROM;
import static dev.strake.serdes.HeaderNames.LAYER;
import static dev.strake.serdes.HeaderNames.PRINCIPAL;
import static dev.strake.serdes.HeaderNames.REVISION;
import static dev.strake.serdes.HeaderNames.TRACEPARENT;
import static dev.strake.serdes.HeaderNames.add;
import static dev.strake.serdes.HeaderNames.text;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.Hasher;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * The headers of a rendered document's record: the revision and change that published it, and the document's layer and
 * bucket.
 *
 * <p>The record is a CloudEvent in binary mode. {@code ce_id} is the record's key, {@code @} and the revision (a
 * revision publishes a key once). {@code ce_source} is taken from the change, or else is {@code strake/} and the
 * workspace. {@code ce_subject} is schema and name. {@code ce_time} is taken from the change, or else is the time of
 * the change's record.
 *
 * @param layer empty for a document without a layer
 * @param derivedFrom schema and name of the owner, {@code schema/name}; null if the document is not derived
 * @param cause the change that published the record
 * @param secrets the places of secrets in the data, and their form
 */
public record RenderedHeaders(
        long revision, String layer, String bucket, String derivedFrom, Cause cause, SecretHeaders secrets) {

    /**
     * What the change says about itself.
     *
     * @param source its {@code ce_source}; null if it has none
     * @param time its {@code ce_time}, or else the time of its record
     * @param traceparent its trace; null if it has none
     * @param principal the authenticated publisher; null if there is no valid proof
     */
    public record Cause(String changeId, String source, String time, String traceparent, String principal) {}

    /** Whether the data has secrets; false for a tombstone. */
    public boolean secret() {
        return secrets.areThere();
    }

    /** Returns the headers of the same record with its secrets in clear text. */
    RenderedHeaders inClear() {
        SecretHeaders clear = new SecretHeaders(secrets.paths(), null);
        return new RenderedHeaders(revision, layer, bucket, derivedFrom, cause, clear);
    }

    /** The {@code ce_type} of a rendered document. */
    public static final String TYPE_RENDERED = "dev.strake.document.rendered";

    /** The {@code ce_type} of a tombstone. */
    public static final String TYPE_REMOVED = "dev.strake.document.removed";

    /** The {@code content-hash} of one rendered document: SHA-256 of the record's value, in 64 hexadecimal digits. */
    public static String contentHash(byte[] value) {
        return Hasher.hex(value);
    }

    /**
     * Returns the headers of a record.
     *
     * @param contentHash SHA-256 of the record's value, see {@link #contentHash}; null for a tombstone, which has
     *     neither content type nor hash
     */
    public Headers write(RenderedKey key, String contentHash) {
        boolean tombstone = contentHash == null;
        DocumentKey document = key.document();
        Headers headers = new RecordHeaders();
        add(headers, CE_SPECVERSION, "1.0");
        add(headers, CE_ID, key.text() + "@" + revision);
        add(headers, CE_SOURCE, cause.source() == null ? "strake/" + key.workspace() : cause.source());
        add(headers, CE_TYPE, tombstone ? TYPE_REMOVED : TYPE_RENDERED);
        add(headers, CE_SUBJECT, document.schema() + "/" + document.name());
        add(headers, CE_TIME, cause.time());
        add(headers, REVISION, Long.toString(revision));
        if (!tombstone) {
            add(headers, CONTENT_TYPE, "application/json");
            add(headers, CONTENT_HASH, contentHash);
        }
        add(headers, LAYER, layer);
        add(headers, BUCKET, bucket);
        add(headers, CHANGE_ID, cause.changeId());
        add(headers, TRACEPARENT, cause.traceparent());
        add(headers, DERIVED_FROM, derivedFrom);
        add(headers, PRINCIPAL, cause.principal());
        secrets.write(headers);
        return headers;
    }

    /**
     * Reads the headers of a record. {@code source} is never null in the result, because {@link #write} fills it in.
     *
     * @throws IllegalArgumentException if the record is not a rendered document
     */
    public static RenderedHeaders read(Headers headers) {
        return new RenderedHeaders(
                Long.parseLong(required(headers, REVISION)),
                required(headers, LAYER),
                required(headers, BUCKET),
                text(headers, DERIVED_FROM),
                new Cause(
                        required(headers, CHANGE_ID),
                        required(headers, CE_SOURCE),
                        required(headers, CE_TIME),
                        text(headers, TRACEPARENT),
                        text(headers, PRINCIPAL)),
                SecretHeaders.read(headers));
    }

    private static String required(Headers headers, String name) {
        String text = text(headers, name);
        if (text == null) {
            throw new IllegalArgumentException("the record of a rendered document needs the header " + name);
        }
        return text;
    }
}
