/** Documents as authors keep them: in files, in folders, on the standard input. */
package dev.strake.cli.files;
