/** Documents as authors store them: in files, in folders, on the standard input. */
package dev.strake.cli.files;
