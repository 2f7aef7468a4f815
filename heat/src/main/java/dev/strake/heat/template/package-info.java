/** Validates a template with all nested templates: reads templates, finds implementations, walks the tree. */
package dev.strake.heat.template;
