/** BOSH operations files and variables on files, without Kafka: what {@code bosh interpolate} does. */
package dev.strake.cli.interpolate;
