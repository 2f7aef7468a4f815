/** Variables in documents: {@code ((name))}, as in {@code bosh interpolate}. Offline only, never in a workspace. */
package dev.strake.engine.interpolation;
