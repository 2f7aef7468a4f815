/** Trees of Heat templates as authors keep them: in files that name each other. */
package dev.strake.cli.template;
