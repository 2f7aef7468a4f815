/** Parameters of Heat templates: declarations, constraints and values. */
package dev.strake.heat.parameter;
