/** The versions of HOT and their functions: reads, checks and evaluates calls. */
package dev.strake.heat.function;
