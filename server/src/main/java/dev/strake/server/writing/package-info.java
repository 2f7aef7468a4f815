/** Changes over HTTP: taken, published for their authors, and answered with what became of them. */
package dev.strake.server.writing;
