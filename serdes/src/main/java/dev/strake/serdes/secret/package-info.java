/** The keys of an installation, as serialization needs them. Readers without secrets need no cryptographic library. */
package dev.strake.serdes.secret;
