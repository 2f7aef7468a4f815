/** Limits for rendering documents: the size of the result, and the work that it takes. Work is counted, never timed. */
package dev.strake.engine.limit;
