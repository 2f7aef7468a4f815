/** Parameters of Heat templates: their declarations, constraints, and the values they take. */
package dev.strake.heat.parameter;
