/** The versions of HOT and the functions that each of them has: reading calls, checking them, evaluating them. */
package dev.strake.heat.function;
