package dev.strake.engine.document;

import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The role of a document in the engine. Only this class decides it: from the schema, and from whether the document is a
 * control document. The first three kinds come from Deckhand.
 */
public enum Kind {
    /** A {@code deckhand/LayeringPolicy}, of any version, as in Deckhand: sets the order of layers. */
    POLICY,
    /** A {@code deckhand/DataSchema/v1}: its data is a JSON Schema for the documents whose schema is its name. */
    SCHEMA,
    /** A secret of one of Deckhand's own schemas: its rendered data has to be text. */
    SECRET,
    /** Changes other documents. Its own data is rendered for this, but it is not in the rendered set. */
    OPERATIONS,
    /** Other documents are derived from it. Its own data is rendered for this, but it is not in the rendered set. */
    DERIVATION,
    /** Any other document. */
    ORDINARY;

    /** The schema of documents that contain operations on other documents. */
    public static final String OPERATIONS_SCHEMA = "strake/Operations/v1";

    /** The schema of documents that gather values of other documents into one. */
    public static final String COLLECTION_SCHEMA = "strake/Collection/v1";

    /**
     * Schemas of owners whose kind is in another module, with the module. A document of such a schema is an owner even
     * if the module is missing, because stores must not depend on the class path.
     */
    public static final Map<String, String> OWNERS_OF_MODULES = Map.of("heat/Stack/v1", "heat");

    /** The schema of documents whose data is a JSON Schema for other documents. */
    public static final String DATA_SCHEMA = "deckhand/DataSchema/v1";

    /** Layering policies, data schemas and validation policies of any version have data of a known form. */
    static final String ANY_POLICY = "deckhand/LayeringPolicy/";

    static final String ANY_DATA_SCHEMA = "deckhand/DataSchema/";
    static final String ANY_VALIDATION_POLICY = "deckhand/ValidationPolicy/";

    /** The rule for names of schemas, as a hint. */
    public static final String SCHEMA_NAME_RULE =
            "the first two parts may have letters, digits, dots, dashes and underscores; the last is a version such as v1 or v1beta2";

    private static final String PART = "[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?";
    private static final String VERSION = "v[0-9]+(?:(?:alpha|beta)[0-9]+)?";
    private static final Pattern SCHEMA_NAME = Pattern.compile(PART + "/" + PART + "/" + VERSION);
    private static final Pattern DECKHAND_NAME = Pattern.compile("[A-Za-z]+/[A-Za-z]+/" + VERSION);
    private static final String BUILT_IN = "deckhand/";
    private static final String OURS = "strake/";
    private static final Set<String> SECRETS = Set.of(
            "deckhand/Certificate/v1",
            "deckhand/CertificateKey/v1",
            "deckhand/CertificateAuthority/v1",
            "deckhand/CertificateAuthorityKey/v1",
            "deckhand/Passphrase/v1",
            "deckhand/PrivateKey/v1",
            "deckhand/PublicKey/v1");

    public static Kind of(String schema, boolean control) {
        if (isPolicy(schema)) {
            return POLICY;
        } else if (control && schema.equals(DATA_SCHEMA)) {
            return SCHEMA;
        } else if (SECRETS.contains(schema)) {
            return SECRET;
        }
        if (control) {
            return ORDINARY;
        }
        return schema.equals(OPERATIONS_SCHEMA) ? OPERATIONS : isOwner(schema) ? DERIVATION : ORDINARY;
    }

    /** Whether documents of this kind are for consumers. Consumers see only the effects of the others. */
    public boolean isForConsumers() {
        return this != OPERATIONS && this != DERIVATION;
    }

    /** Whether derived documents may have this schema: only documents of the ordinary kind may have it. */
    public static boolean isDerivable(String schema) {
        return !schema.startsWith(BUILT_IN) && !schema.startsWith(OURS) && !isOwner(schema);
    }

    private static boolean isOwner(String schema) {
        return schema.equals(COLLECTION_SCHEMA) || OWNERS_OF_MODULES.containsKey(schema);
    }

    /** Whether a document says which validations a revision needs. */
    public static boolean isValidationPolicy(String schema) {
        return schema.startsWith(ANY_VALIDATION_POLICY);
    }

    /** Whether documents of this schema set the order of layers. */
    public static boolean isPolicy(String schema) {
        return schema.startsWith(ANY_POLICY);
    }

    /** Whether documents of this schema are control documents for Deckhand. */
    static boolean isDeckhandControl(String schema) {
        return isPolicy(schema) || schema.startsWith(ANY_DATA_SCHEMA) || isValidationPolicy(schema);
    }

    /** Whether a text has the form {@code namespace/Kind/vN}. */
    public static boolean isSchemaName(String text) {
        return SCHEMA_NAME.matcher(text).matches();
    }

    /** As {@link #isSchemaName}, by Deckhand's rules, which allow only letters in the first two parts. */
    public static boolean isDeckhandSchemaName(String text) {
        return DECKHAND_NAME.matcher(text).matches();
    }

    /** Whether a DataSchema may govern documents of this schema. Built-in schemas have their own rules. */
    public static boolean isGovernable(String schema) {
        return isSchemaName(schema) && !schema.startsWith(BUILT_IN);
    }
}
