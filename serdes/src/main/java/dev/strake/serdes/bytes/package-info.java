/** The encoding of components in keys and values of state stores. The layouts are in the package {@code store}. */
package dev.strake.serdes.bytes;
