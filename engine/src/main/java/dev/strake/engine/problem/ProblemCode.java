package dev.strake.engine.problem;

/**
 * The stable names of all problems. If Deckhand has an error class for a problem, the problem is named after it. The
 * other names are ours, in the same style.
 */
public enum ProblemCode {
    /** The text is no YAML or JSON, or uses a feature that is refused (type tags), or JSON with a key that stands twice. */
    INVALID_YAML("InvalidYaml"),
    /** A key stands twice in a mapping of YAML, where the last one counts; a warning. */
    DUPLICATE_KEY("DuplicateKey"),
    /** A header, a type of change or the body of a control message does not follow the contract. */
    INVALID_CHANGE("InvalidChange"),
    /** A configured limit is exceeded. */
    LIMIT_EXCEEDED("LimitExceeded"),

    /** The head is another revision than the one that the author of a change saw. */
    REVISION_CONFLICT("RevisionConflict"),
    /** A change would remove more documents than its author or an administrator allows. */
    TOO_MANY_REMOVALS("TooManyRemovals"),

    // The rest are error classes of Deckhand, unless marked.
    INVALID_DOCUMENT_FORMAT("InvalidDocumentFormat"),
    DUPLICATE_DOCUMENT_EXISTS("DuplicateDocumentExists"),
    SINGLETON_DOCUMENT_CONFLICT("SingletonDocumentConflict"),
    REVISION_NOT_FOUND("RevisionNotFound"),
    REVISION_TAG_NOT_FOUND("RevisionTagNotFound"),
    REVISION_TAG_BAD_FORMAT("RevisionTagBadFormat"),
    /** Ours: a document to delete that the bucket does not hold; a warning. */
    DOCUMENT_NOT_FOUND("DocumentNotFound"),
    /** Ours: a workspace to delete that has no documents; a warning. */
    WORKSPACE_NOT_FOUND("WorkspaceNotFound"),

    LAYERING_POLICY_NOT_FOUND("LayeringPolicyNotFound"),
    /** Ours: a bucket keeps its layering policy, as the author of a change without one wants; a warning. */
    LAYERING_POLICY_KEPT("LayeringPolicyKept"),
    INVALID_DOCUMENT_LAYER("InvalidDocumentLayer"),
    INVALID_DOCUMENT_PARENT("InvalidDocumentParent"),
    INDETERMINATE_DOCUMENT_PARENT("IndeterminateDocumentParent"),
    INVALID_DOCUMENT_REPLACEMENT("InvalidDocumentReplacement"),
    SUBSTITUTION_DEPENDENCY_CYCLE("SubstitutionDependencyCycle"),
    MISSING_DOCUMENT_KEY("MissingDocumentKey"),
    /** Ours: an action's path cannot be read, or leads through a value that is no container. */
    INVALID_DOCUMENT_PATH("InvalidDocumentPath"),
    SUBSTITUTION_SOURCE_NOT_FOUND("SubstitutionSourceNotFound"),
    SUBSTITUTION_SOURCE_DATA_NOT_FOUND("SubstitutionSourceDataNotFound"),
    UNKNOWN_SUBSTITUTION_ERROR("UnknownSubstitutionError"),
    /** Ours: no parent matches the parentSelector of a child; a warning, because published documents rely on it. */
    PARENT_NOT_FOUND("ParentNotFound"),
    /** Ours: the targets of an operations document do not exist; a warning. */
    OPERATIONS_TARGET_NOT_FOUND("OperationsTargetNotFound"),
    /** Ours: a list of operations that cannot be read. */
    INVALID_OPERATIONS("InvalidOperations"),
    /** Ours: an operation cannot be carried out, or a test operation found another value. */
    OPERATION_FAILED("OperationFailed"),
    /** Ours: the data of a Collection does not say what to gather, or into what. */
    INVALID_COLLECTION("InvalidCollection"),
    /** Ours: the data of a Stack does not say which tree of templates to validate, or how. */
    INVALID_STACK("InvalidStack"),
    /** Ours: a tree of Heat templates, or an environment for it, is not valid. */
    INVALID_TEMPLATE_TREE("InvalidTemplateTree"),
    /** Ours: the documents that come from a document cannot be made of what they are to be made of. */
    DERIVATION_FAILED("DerivationFailed"),
    /** Ours: a variable is missing or unused, or its value does not fit its place. */
    INTERPOLATION_FAILED("InterpolationFailed"),
    /** Ours: sealed data that does not open, or has no business to be there. */
    INVALID_SEALED_DATA("InvalidSealedData"),
    /** Ours: something is encrypted with a key that the keyset does not have. */
    SECRET_KEY_NOT_FOUND("SecretKeyNotFound"),
    /** Ours: a secret document came in clear text, where that is refused. */
    SECRET_NOT_SEALED("SecretNotSealed"),
    /** Ours: documents say {@code storagePolicy: encrypted}, and there is no key to encrypt with; a warning. */
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
     * The problem with this name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static ProblemCode of(String code) {
        for (ProblemCode candidate : values()) {
            if (candidate.code.equals(code)) {
                return candidate;
            }
        }
        throw new IllegalArgumentException("no problem is called " + code);
    }
}
