/** The layouts of keys and values in the state stores. */
package dev.strake.topology.layout;
