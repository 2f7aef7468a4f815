/** The versions of HOT and the functions that each of them has: reading calls, checking them, working them out. */
package dev.strake.heat.function;
