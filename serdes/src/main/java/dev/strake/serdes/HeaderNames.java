package dev.strake.serdes;

/** Names of the headers of changes, outcomes and rendered records. Values are text in UTF-8. */
public final class HeaderNames {

    public static final String CE_SPECVERSION = "ce_specversion";
    public static final String CE_ID = "ce_id";
    public static final String CE_TYPE = "ce_type";
    public static final String CE_SOURCE = "ce_source";
    public static final String CE_SUBJECT = "ce_subject";
    public static final String CE_TIME = "ce_time";
    public static final String CONTENT_TYPE = "content-type";
    public static final String TRACEPARENT = "traceparent";

    /** Of a change and of a rendered record: the bucket. */
    public static final String BUCKET = "bucket";

    /** Of a change: which part of it the record is, as {@code k/n}. */
    public static final String PART = "part";

    /** Of a change: {@code true} if its outcome shall only say what it would do. */
    public static final String DRY_RUN = "dry-run";

    /** Of a change: the head revision that its author saw. With another head, the change is rejected. */
    public static final String EXPECTED_REVISION = "expected-revision";

    /** Of a change: how many documents it may remove. If it would remove more, it is rejected. */
    public static final String MAX_REMOVALS = "max-removals";

    /** Of a {@code bucket.put}: {@code true} if it means what a PUT means in Deckhand; see {@code Plan.bucketPutAsDeckhand}. */
    public static final String AS_DECKHAND = "as-deckhand";

    /** Of a change: who made it, and why. */
    public static final String AUTHOR = "author";

    public static final String MESSAGE = "message";

    /**
     * Of a change and of a rendered record: who was proven to have published the change. Of a change it counts only with
     * {@link #PRINCIPAL_PROOF}.
     */
    public static final String PRINCIPAL = "principal";

    /** Of a change: by what the service knows that it wrote {@link #PRINCIPAL} itself. */
    public static final String PRINCIPAL_PROOF = "principal-proof";

    /** Of a change: where its author keeps the documents of this record, a JSON array with one text a document. */
    public static final String ORIGINS = "origins";

    /**
     * Of a change that was sent to its partition from another one: the id of the topic in which its {@link #CE_ID} is the
     * position where it first was. Written by this program alone.
     */
    public static final String ID_TOPIC = "id-topic";

    /** Of a rendered record or a problem: the revision that published it. */
    public static final String REVISION = "revision";

    /** Of a rendered record: SHA-256 of its value. */
    public static final String CONTENT_HASH = "content-hash";

    /** Of a rendered record: the layer of the document. */
    public static final String LAYER = "layer";

    /** Of a derived document's record: schema and name of the document that it comes from. */
    public static final String DERIVED_FROM = "derived-from";

    /** {@code true} on a rendered record that has secrets: of an encrypted document, or what came from one. */
    public static final String SECRET = "secret";

    /** Where the data of such a record has secrets: a JSON array of JSON pointers. */
    public static final String SECRET_PATHS = "secret-paths";

    /** How its secrets are given: {@code redacted}, {@code encrypted} or {@code references}; absent if they are clear text. */
    public static final String SECRET_DATA = "secret-data";

    /** Of a rendered record, a problem or an outcome: the id of the change that caused it. */
    public static final String CHANGE_ID = "change-id";

    /** Of a dead letter whose value is encrypted: the id of the key. */
    public static final String SEALED_WITH = "sealed-with";

    /** Of a dead letter whose value was cut: how many bytes the value had. */
    public static final String UNCUT_VALUE_BYTES = "uncut-value-bytes";

    /** Of a dead letter whose key was cut: how many bytes the key had. */
    public static final String UNCUT_KEY_BYTES = "uncut-key-bytes";

    /** Of a dead letter that has not all headers of its record: how many were left out. */
    public static final String DROPPED_HEADERS = "dropped-headers";

    private HeaderNames() {}
}
