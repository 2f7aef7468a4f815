/** What people are shown of secret data: that it is there, where it is, and whether it is the same. */
package dev.strake.engine.secret;
