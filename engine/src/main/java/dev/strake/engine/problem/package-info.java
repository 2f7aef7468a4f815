/** Problems with documents and changes: stable codes, messages for authors, and the places to which they refer. */
package dev.strake.engine.problem;
