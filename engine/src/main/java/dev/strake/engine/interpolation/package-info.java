/** Variables in documents: {@code ((name))} as {@code bosh interpolate} fills it. Offline only; no document of a workspace has any. */
package dev.strake.engine.interpolation;
