/** Caches of bounded size. */
package dev.strake.engine.cache;
