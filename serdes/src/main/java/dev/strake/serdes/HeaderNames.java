package dev.strake.serdes;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/** Names of the headers of changes, outcomes and rendered records. Header values are text in UTF-8. */
public final class HeaderNames {

    public static final String CE_SPECVERSION = "ce_specversion";
    public static final String CE_ID = "ce_id";
    public static final String CE_TYPE = "ce_type";
    public static final String CE_SOURCE = "ce_source";
    public static final String CE_SUBJECT = "ce_subject";
    public static final String CE_TIME = "ce_time";
    public static final String CONTENT_TYPE = "content-type";
    public static final String TRACEPARENT = "traceparent";

    /** Changes and rendered records: the bucket. */
    public static final String BUCKET = "bucket";

    /** Changes: the number of this part and of all parts, as {@code k/n}. */
    public static final String PART = "part";

    /** Changes: {@code true} for a dry run, whose outcome only reports the effects. */
    public static final String DRY_RUN = "dry-run";

    /** Changes: the head revision that the author saw. With another head, the change is rejected. */
    public static final String EXPECTED_REVISION = "expected-revision";

    /** Changes: how many documents the change may remove. If it would remove more, it is rejected. */
    public static final String MAX_REMOVALS = "max-removals";

    /** {@code bucket.put}: {@code true} for the meaning of a PUT in Deckhand; see {@code Plan.bucketPutAsDeckhand}. */
    public static final String AS_DECKHAND = "as-deckhand";

    /** Changes: who made the change, and why. */
    public static final String AUTHOR = "author";

    public static final String MESSAGE = "message";

    /**
     * Changes and rendered records: the authenticated publisher of the change. In changes it is ignored without
     * {@link #PRINCIPAL_PROOF}.
     */
    public static final String PRINCIPAL = "principal";

    /** Changes: proves that the service itself wrote {@link #PRINCIPAL}. */
    public static final String PRINCIPAL_PROOF = "principal-proof";

    /** Changes: where the author keeps the documents of this record, a JSON array with one text for each document. */
    public static final String ORIGINS = "origins";

    /**
     * Changes forwarded to the right partition: the id of the topic to which the position in {@link #CE_ID} refers.
     * Only this program writes it.
     */
    public static final String ID_TOPIC = "id-topic";

    /** Rendered records and problems: the revision that published the record. */
    public static final String REVISION = "revision";

    /** Rendered records: the SHA-256 of the value. */
    public static final String CONTENT_HASH = "content-hash";

    /** Rendered records: the layer of the document. */
    public static final String LAYER = "layer";

    /** Records of derived documents: schema and name of the owner. */
    public static final String DERIVED_FROM = "derived-from";

    /** Rendered records: {@code true} if the data contains secrets, of an encrypted document or derived from one. */
    public static final String SECRET = "secret";

    /** Rendered records: the places of secrets in the data, a JSON array of JSON pointers. */
    public static final String SECRET_PATHS = "secret-paths";

    /** Rendered records: {@code redacted}, {@code encrypted} or {@code references}; absent for clear text. */
    public static final String SECRET_DATA = "secret-data";

    /** Rendered records, problems and outcomes: the id of the change that caused the record. */
    public static final String CHANGE_ID = "change-id";

    /** Dead letters with an encrypted value: the id of the key. */
    public static final String SEALED_WITH = "sealed-with";

    /** Dead letters with a truncated value: the original length of the value in bytes. */
    public static final String UNCUT_VALUE_BYTES = "uncut-value-bytes";

    /** Dead letters with a truncated key: the original length of the key in bytes. */
    public static final String UNCUT_KEY_BYTES = "uncut-key-bytes";

    /** Dead letters without some headers of their record: the number of missing headers. */
    public static final String DROPPED_HEADERS = "dropped-headers";

    private HeaderNames() {}

    /** Adds a header, unless its text is null. */
    public static void add(Headers headers, String name, String text) {
        if (text != null) {
            headers.add(name, text.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Returns the text of a header; null if there is none. */
    public static String text(Headers headers, String name) {
        Header header = headers.lastHeader(name);
        return header == null || header.value() == null ? null : new String(header.value(), StandardCharsets.UTF_8);
    }
}
