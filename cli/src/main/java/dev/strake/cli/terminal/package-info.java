/** The basis of every command: the streams, exit codes, and how a command runs until it is stopped. */
package dev.strake.cli.terminal;
