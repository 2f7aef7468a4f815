/**
 * The bytes in topics and state stores. Bytes live longer than code, so the class that owns a layout shows it in its
 * Javadoc, and golden bytes in tests pin it.
 */
package dev.strake.serdes;
