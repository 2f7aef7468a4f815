/**
 * Bytes: what travels through the topics and what lies in the state stores. Bytes live longer than code, therefore each
 * layout is drawn in the class that owns it and pinned by golden bytes.
 */
package dev.strake.serdes;
