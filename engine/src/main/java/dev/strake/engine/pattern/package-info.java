/** Regular expressions in Python's notation, run in linear time. */
package dev.strake.engine.pattern;
