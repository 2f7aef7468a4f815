/** Options that several commands share. */
package dev.strake.cli.option;
