/** What users are shown of secret data: that it exists, its place, and whether two values are equal. */
package dev.strake.engine.secret;
