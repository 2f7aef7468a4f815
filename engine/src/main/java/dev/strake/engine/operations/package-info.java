/**
 * The operations files of BOSH: lists of small edits, applied to a tree in order, the paths they are written with, and the
 * variables that are put into the result.
 */
package dev.strake.engine.operations;
