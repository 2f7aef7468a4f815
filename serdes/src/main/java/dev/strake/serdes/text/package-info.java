/** Reads YAML and JSON of authors into trees: strictly, within limits, and with the place of every mistake. Writes trees as YAML. */
package dev.strake.serdes.text;
