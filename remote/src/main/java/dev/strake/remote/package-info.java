/** The commands that reach out: they bring rendered documents to where they are used. */
package dev.strake.remote;
