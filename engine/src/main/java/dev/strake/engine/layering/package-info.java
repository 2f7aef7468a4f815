/** Layering: applies a child's actions to its parent's data. */
package dev.strake.engine.layering;
