/** Incremental rendering: finds the documents of a revision that have to be evaluated, and evaluates them. */
package dev.strake.engine.render;
