/** Substitution: values taken from rendered documents and written into others, whole or by pattern. */
package dev.strake.engine.substitution;
