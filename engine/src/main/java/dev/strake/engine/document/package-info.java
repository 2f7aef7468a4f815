/** Documents as authors publish them: anatomy, identity, format validation, and the problems found in them. */
package dev.strake.engine.document;
