/** The files that a tree of templates is made of, looked up by name without I/O, and what can be wrong with them. */
package dev.strake.heat.source;
