package dev.strake.engine.problem;

/**
 * The stable names of all problems. If Deckhand has an error class for a problem, the problem is named after it. The
 * other names are ours, in the same style.
 */
public enum ProblemCode {
    /** The text is not valid YAML or JSON, uses a rejected feature (type tags), or is JSON with a duplicate key. */
    INVALID_YAML("InvalidYaml"),
    /** A mapping of YAML has a duplicate key, of which the last one counts; a warning. */
    DUPLICATE_KEY("DuplicateKey"),
    /** A header, a type of change or the body of a control message violates the contract. */
    INVALID_CHANGE("InvalidChange"),
    /** A configured limit is exceeded. */
    LIMIT_EXCEEDED("LimitExceeded"),

    /** The head is not the revision that the author of a change expected. */
    REVISION_CONFLICT("RevisionConflict"),
    /** A change would remove more documents than its author or an administrator allows. */
    TOO_MANY_REMOVALS("TooManyRemovals"),

    // All others are error classes of Deckhand, except those marked as ours.
    INVALID_DOCUMENT_FORMAT("InvalidDocumentFormat"),
    DUPLICATE_DOCUMENT_EXISTS("DuplicateDocumentExists"),
    SINGLETON_DOCUMENT_CONFLICT("SingletonDocumentConflict"),
    REVISION_NOT_FOUND("RevisionNotFound"),
    REVISION_TAG_NOT_FOUND("RevisionTagNotFound"),
    REVISION_TAG_BAD_FORMAT("RevisionTagBadFormat"),
    /** Ours: the bucket does not hold a document that is to be deleted; a warning. */
    DOCUMENT_NOT_FOUND("DocumentNotFound"),
    /** Ours: a workspace that is to be deleted has no documents; a warning. */
    WORKSPACE_NOT_FOUND("WorkspaceNotFound"),

    LAYERING_POLICY_NOT_FOUND("LayeringPolicyNotFound"),
    /** Ours: a bucket keeps its layering policy although the change has none; a warning. */
    LAYERING_POLICY_KEPT("LayeringPolicyKept"),
    INVALID_DOCUMENT_LAYER("InvalidDocumentLayer"),
    INVALID_DOCUMENT_PARENT("InvalidDocumentParent"),
    INDETERMINATE_DOCUMENT_PARENT("IndeterminateDocumentParent"),
    INVALID_DOCUMENT_REPLACEMENT("InvalidDocumentReplacement"),
    SUBSTITUTION_DEPENDENCY_CYCLE("SubstitutionDependencyCycle"),
    MISSING_DOCUMENT_KEY("MissingDocumentKey"),
    /** Ours: the path of an action cannot be parsed, or leads through a value that is not a container. */
    INVALID_DOCUMENT_PATH("InvalidDocumentPath"),
    SUBSTITUTION_SOURCE_NOT_FOUND("SubstitutionSourceNotFound"),
    SUBSTITUTION_SOURCE_DATA_NOT_FOUND("SubstitutionSourceDataNotFound"),
    UNKNOWN_SUBSTITUTION_ERROR("UnknownSubstitutionError"),
    /** Ours: no parent matches the parentSelector of a child; a warning, because published documents rely on it. */
    PARENT_NOT_FOUND("ParentNotFound"),
    /** Ours: the targets of an operations document do not exist; a warning. */
    OPERATIONS_TARGET_NOT_FOUND("OperationsTargetNotFound"),
    /** Ours: a list of operations cannot be parsed. */
    INVALID_OPERATIONS("InvalidOperations"),
    /** Ours: an operation fails, or a test operation finds another value. */
    OPERATION_FAILED("OperationFailed"),
    /** Ours: the data of a Collection does not say what to gather, or into which document. */
    INVALID_COLLECTION("InvalidCollection"),
    /** Ours: the data of a Stack does not say which tree of templates to validate, or how. */
    INVALID_STACK("InvalidStack"),
    /** Ours: a tree of Heat templates, or an environment for it, is not valid. */
    INVALID_TEMPLATE_TREE("InvalidTemplateTree"),
    /** Ours: the derived documents of an owner cannot be made from its data and the documents that it reads. */
    DERIVATION_FAILED("DerivationFailed"),
    /** Ours: a variable is missing or unused, or its value does not fit its place. */
    INTERPOLATION_FAILED("InterpolationFailed"),
    /** Ours: sealed data cannot be opened, or is at a place where it is not allowed. */
    INVALID_SEALED_DATA("InvalidSealedData"),
    /** Ours: data is encrypted with a key that is not in the keyset. */
    SECRET_KEY_NOT_FOUND("SecretKeyNotFound"),
    /** Ours: a secret document was published in clear text although that is rejected. */
    SECRET_NOT_SEALED("SecretNotSealed"),
    /** Ours: documents say {@code storagePolicy: encrypted}, but there is no key to encrypt them; a warning. */
    NOT_ENCRYPTED("NotEncrypted"),
    /** Ours: {@code src.pattern} matched nothing and the whole value was used; a warning. */
    PATTERN_NOT_FOUND("PatternNotFound");

    private final String code;

    ProblemCode(String code) {
        this.code = code;
    }

    /** The name as it appears in outcomes and problem records. */
    public String code() {
        return code;
    }

    /**
     * Finds a problem code by its name.
     *
     * @throws IllegalArgumentException if no code has this name
     */
    public static ProblemCode of(String code) {
        for (ProblemCode candidate : values()) {
            if (candidate.code.equals(code)) {
                return candidate;
            }
        }
        throw new IllegalArgumentException("there is no problem code " + code);
    }
}
