/** A workspace: buckets and documents, what a change makes of them, and what is published of the result. */
package dev.strake.engine.workspace;
