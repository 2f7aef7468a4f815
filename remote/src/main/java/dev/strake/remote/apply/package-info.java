/**
 * Brings something to the rendered documents of a workspace, a whole revision at a time: a folder, a git repository. Knows
 * the pipeline by its topics alone.
 */
package dev.strake.remote.apply;
