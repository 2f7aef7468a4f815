package dev.strake.heat.source;

/** Stable names of the faults in a tree of templates. Heat itself only has messages and Python classes. */
public enum FaultCode {
    /** The request is invalid, or refers to something that does not exist. */
    REQUEST("request"),
    /** The environment cannot be parsed, or has unknown sections. */
    ENVIRONMENT_FORMAT("environment-format"),
    /** A listed environment is not among the files. */
    ENVIRONMENT_MISSING("environment-missing"),
    /** Merge strategies of environments contradict each other, or the type of a parameter. */
    MERGE_STRATEGY("merge-strategy"),
    TEMPLATE_VERSION("template-version"),
    TEMPLATE_VERSION_MISSING("template-version-missing"),
    TEMPLATE_SECTION("template-section"),
    TEMPLATE_PARSE("template-parse"),
    TEMPLATE_MISSING("template-missing"),
    UNKNOWN_TYPE("unknown-type"),
    PARAMETER_SCHEMA("parameter-schema"),
    PARAMETER_DEFAULT("parameter-default"),
    PARAMETER_VALUE("parameter-value"),
    UNKNOWN_PARAMETER("unknown-parameter"),
    MISSING_PARAMETER("missing-parameter"),
    PARAMETER_GROUPS("parameter-groups"),
    REGISTRY_HOOK("registry-hook"),
    REGISTRY_LOOP("registry-loop"),
    RESOURCE_DEFINITION("resource-definition"),
    RESOURCE_NAME("resource-name"),
    RESOURCE_LIMIT("resource-limit"),
    UNKNOWN_PROPERTY("unknown-property"),
    REQUIRED_PROPERTY("required-property"),
    PROPERTY_VALUE("property-value"),
    BAD_REFERENCE("bad-reference"),
    BAD_ATTRIBUTE("bad-attribute"),
    DEPENDENCY_CYCLE("dependency-cycle"),
    DUPLICATE_NAME("duplicate-name"),
    DELETION_POLICY("deletion-policy"),
    FUNCTION_ARGUMENTS("function-arguments"),
    FUNCTION_REMOVED("function-removed"),
    CONDITION("condition"),
    OUTPUT("output"),
    FACADE_MISMATCH("facade-mismatch"),
    NESTING_DEPTH("nesting-depth"),
    /** A text is longer than Heat allows, or validation exceeds the work allowed for one request. */
    LIMIT("limit-exceeded");

    private final String code;

    FaultCode(String code) {
        this.code = code;
    }

    /** Returns the name as it appears in answers. */
    public String code() {
        return code;
    }
}
