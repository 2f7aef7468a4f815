/** Results as people and programs read them: YAML, JSON, tables. */
package dev.strake.cli.output;
