/** Questions about what an applier makes of an object, and their answers, as JSON. */
package dev.strake.serdes.apply;
