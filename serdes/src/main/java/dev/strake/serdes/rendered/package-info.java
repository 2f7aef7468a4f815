/** The records of rendered documents and render problems: keys, headers, hashes. */
package dev.strake.serdes.rendered;
