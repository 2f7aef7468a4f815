/** The layout of the state stores: what stands under which key. One class for each store. */
package dev.strake.serdes.store;
