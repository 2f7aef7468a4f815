/** Validates a template with all that it nests: reads the templates, finds what their resources are, and walks the tree. */
package dev.strake.heat.template;
