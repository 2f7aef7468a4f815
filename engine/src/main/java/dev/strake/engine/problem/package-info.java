/** Problems with documents and changes: stable codes, messages for authors, and source positions. */
package dev.strake.engine.problem;
