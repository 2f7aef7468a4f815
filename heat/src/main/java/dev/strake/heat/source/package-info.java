/** The files of a tree of templates, looked up by name without I/O, and the faults that they can have. */
package dev.strake.heat.source;
