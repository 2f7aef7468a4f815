/** Incremental rendering: which documents of a revision have to be evaluated, and what comes out of them. */
package dev.strake.engine.render;
