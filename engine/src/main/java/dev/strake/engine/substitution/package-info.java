/** Substitution: values are taken from rendered documents and written into other documents, whole or by pattern. */
package dev.strake.engine.substitution;
