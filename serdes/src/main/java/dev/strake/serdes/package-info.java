/** Bytes in and out: what travels on topics and lies in stores. A consumer can use this module alone. */
package dev.strake.serdes;
