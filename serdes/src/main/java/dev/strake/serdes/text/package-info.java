/** Parses YAML and JSON of authors strictly, within limits, with the location of every error. Writes YAML. */
package dev.strake.serdes.text;
