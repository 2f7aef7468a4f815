/** Whether a revision is ready to be used: the results of its validations, compared with its validation policies. */
package dev.strake.engine.readiness;
