/** Verifies what consumers hold: renders a workspace from scratch, and compares the result with its topics. */
package dev.strake.cli.verify;
