/** Text of authors, YAML and JSON, read into trees: strictly, within limits, and with the place of every mistake. */
package dev.strake.serdes.text;
