package dev.strake.remote.fetch.resource;

import dev.strake.remote.fetch.policy.Address;

/** How S3 lets a resource in. */
public sealed interface Auth {

    /** By keys, with which each request is signed. */
    record Hmac(HeaderValue accessKeyId, HeaderValue secretAccessKey) implements Auth {}

    /** By a token, which a service gives for an API key. */
    record Iam(Address url, String grantType, HeaderValue apiKey) implements Auth {}
}
