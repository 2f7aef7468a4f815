/** Schemas for the data of rendered documents. */
package dev.strake.engine.validation;
