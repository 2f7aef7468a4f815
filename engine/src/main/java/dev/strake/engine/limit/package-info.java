/** What the rendering of one document may take: sizes of what comes out, and the work that it costs. Counted, never timed. */
package dev.strake.engine.limit;
