/**
 * The bytes in topics and state stores. Stored bytes outlive code, so each layout is documented in the Javadoc of its
 * class, and golden bytes in tests pin it.
 */
package dev.strake.serdes;
