/** The alphabet in which keys and values of state stores are written. The layouts belong to the stores. */
package dev.strake.serdes.bytes;
