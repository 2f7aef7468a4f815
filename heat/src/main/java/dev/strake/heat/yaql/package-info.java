/** YAQL, OpenStack's query language: its whole grammar, and the functions that real template trees use. */
package dev.strake.heat.yaql;
