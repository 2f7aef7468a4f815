/** The files that a tree of templates is made of, looked up by name; whoever validates does no I/O. */
package dev.strake.heat.source;
