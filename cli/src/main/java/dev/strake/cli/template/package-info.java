/** Trees of Heat templates as authors store them: in files that refer to each other. */
package dev.strake.cli.template;
