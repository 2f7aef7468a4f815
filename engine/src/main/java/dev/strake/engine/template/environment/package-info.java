/** Environments: values and defaults of parameters, the resource registry, and how several of them become one. */
package dev.strake.engine.template.environment;
