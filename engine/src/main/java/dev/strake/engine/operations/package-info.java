/** The operations files of BOSH: lists of small edits that are applied to a tree in order, and their paths. */
package dev.strake.engine.operations;
