/**
 * The commands of {@code strake} and what they share: where output goes, how it is coloured, what the exit code says.
 * A command reads its options, calls the part of Strake that does the work and prints what came of it.
 */
package dev.strake.cli.command;
