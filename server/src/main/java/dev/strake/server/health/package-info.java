/** What orchestrators ask about the pipeline, and how it answers: whether it started, is ready, lives. */
package dev.strake.server.health;
