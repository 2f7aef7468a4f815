/** Options that several commands have. */
package dev.strake.cli.option;
