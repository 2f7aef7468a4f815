/** Whether a revision is ready to be used: what validated it, and what validation policies expect. */
package dev.strake.engine.readiness;
