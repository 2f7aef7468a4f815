/** The commands that reach out: they fetch documents, and bring rendered ones to where they are used. */
package dev.strake.cli.remote;
