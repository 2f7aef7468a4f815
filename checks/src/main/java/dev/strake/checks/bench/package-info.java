/** What Strake costs, measured end to end beside a topology that does nothing. */
package dev.strake.checks.bench;
