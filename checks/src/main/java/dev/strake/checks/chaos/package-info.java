/** The faults under which Strake has to keep its promises, and the checker that judges from topics alone. */
package dev.strake.checks.chaos;
