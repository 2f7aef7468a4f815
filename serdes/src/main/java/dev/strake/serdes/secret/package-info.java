/** What bytes need of the keys of an installation. The keys themselves are elsewhere: who has no secrets needs no library for them. */
package dev.strake.serdes.secret;
