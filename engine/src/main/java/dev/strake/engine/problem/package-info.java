/** What can be wrong with documents and changes: stable codes, messages for authors, and the places they speak of. */
package dev.strake.engine.problem;
