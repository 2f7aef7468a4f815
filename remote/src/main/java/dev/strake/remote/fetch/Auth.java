package dev.strake.remote.fetch;

/** How S3 lets a resource in. */
sealed interface Auth {

    /** By keys, with which each request is signed. */
    record Hmac(HeaderValue accessKeyId, HeaderValue secretAccessKey) implements Auth {}

    /** By a token, which a service gives for an API key. */
    record Iam(Address url, String grantType, HeaderValue apiKey) implements Auth {}
}
