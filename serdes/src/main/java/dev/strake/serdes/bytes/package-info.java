/** Encodes components in keys and values of state stores. The package {@code store} holds the layouts. */
package dev.strake.serdes.bytes;
