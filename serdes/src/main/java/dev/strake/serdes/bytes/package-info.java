/** Encodes components in keys and values of state stores. The layouts are in {@code dev.strake.topology.layout}. */
package dev.strake.serdes.bytes;
