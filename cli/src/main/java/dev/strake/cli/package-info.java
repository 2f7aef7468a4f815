/** The {@code strake} command: its commands by group, and how they report errors. */
package dev.strake.cli;
