/** How documents are named: by schema, layer and name, or by schema and name alone; and how sets of them are compared. */
package dev.strake.engine.identity;
