/** The operations files of BOSH: lists of small edits, applied to a tree in order, and the paths they are written with. */
package dev.strake.engine.operations;
