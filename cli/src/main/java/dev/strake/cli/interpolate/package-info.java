/** Applies BOSH operations files and variables to files, without Kafka, as {@code bosh interpolate} does. */
package dev.strake.cli.interpolate;
