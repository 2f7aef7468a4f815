package dev.strake.remote.fetch.resource;

/** The value of a header or key: given in the resource, or taken from a secret. */
sealed interface HeaderValue {

    /** A value in the resource. */
    record Given(Hidden text) implements HeaderValue {}

    /** A reference to a key of a secret. */
    record FromSecret(MapReference secret, String key) implements HeaderValue {}
}
