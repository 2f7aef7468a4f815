/** Documents as authors publish them: their anatomy and the validation of their format. */
package dev.strake.engine.document;
