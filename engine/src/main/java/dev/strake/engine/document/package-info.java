/** Documents as authors publish them: their parts and the validation of their format. */
package dev.strake.engine.document;
