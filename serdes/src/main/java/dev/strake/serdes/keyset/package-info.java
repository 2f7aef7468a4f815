/** The keys of an installation, and what they encrypt. */
package dev.strake.serdes.keyset;
