/** What may be set about a Strake, and where it was: the command line, the environment, a file. */
package dev.strake.server.settings;
