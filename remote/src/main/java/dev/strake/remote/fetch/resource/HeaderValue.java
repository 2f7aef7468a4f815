package dev.strake.remote.fetch.resource;

/** The value of a header, or of a key: given in the resource, or taken from a secret. */
sealed interface HeaderValue {

    /** As the resource has it. */
    record Given(Hidden text) implements HeaderValue {}

    /** One key of a secret. */
    record FromSecret(MapReference secret, String key) implements HeaderValue {}
}
