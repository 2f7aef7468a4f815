/** The settings of Strake, and their sources: command line, environment and file. */
package dev.strake.server.settings;
