/** YAQL, the query language of OpenStack: all of its grammar, and the functions that real trees of templates use. */
package dev.strake.heat.yaql;
