/** A workspace: its buckets and documents, how changes edit them, and what is published of the result. */
package dev.strake.engine.workspace;
