/** Layering: how a child finds its parent, and what its actions make of the parent's data. */
package dev.strake.engine.layering;
