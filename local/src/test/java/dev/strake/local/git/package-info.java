/** Servers of git for tests, with the protocols that hosts speak. */
package dev.strake.local.git;
