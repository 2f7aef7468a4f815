/** Commands that use other systems: they fetch documents, and apply rendered ones. */
package dev.strake.cli.remote;
