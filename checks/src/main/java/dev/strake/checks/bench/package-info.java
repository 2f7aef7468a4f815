/** Benchmarks of Strake, end to end and compared with a topology that does nothing. */
package dev.strake.checks.bench;
