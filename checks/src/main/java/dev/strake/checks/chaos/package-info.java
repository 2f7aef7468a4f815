/** The faults under which Strake has to keep its promises, and the checker that judges from topics alone whether it did. */
package dev.strake.checks.chaos;
