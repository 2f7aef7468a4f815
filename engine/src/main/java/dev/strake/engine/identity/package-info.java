/** How documents are named: by schema, layer and name, or by schema and name alone. */
package dev.strake.engine.identity;
