/**
 * Applies the rendered documents of a workspace to a target, one whole revision at a time: a folder, a git repository
 * or a cluster. Depends on the topics of the pipeline only.
 */
package dev.strake.remote.apply;
