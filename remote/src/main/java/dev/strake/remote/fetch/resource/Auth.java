package dev.strake.remote.fetch.resource;

import dev.strake.remote.fetch.policy.Address;

/** The authentication of a resource at S3. */
public sealed interface Auth {

    /** Keys that sign each request. */
    record Hmac(HeaderValue accessKeyId, HeaderValue secretAccessKey) implements Auth {}

    /** A token that a service issues for an API key. */
    record Iam(Address url, String grantType, HeaderValue apiKey) implements Auth {}
}
