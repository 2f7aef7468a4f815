/** Rendered documents and render problems as they travel: keys, headers, hashes. */
package dev.strake.serdes.rendered;
