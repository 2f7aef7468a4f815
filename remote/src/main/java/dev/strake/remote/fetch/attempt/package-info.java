/** One look at the sources of a resource: what they have, what is decided, published, remembered and told. */
package dev.strake.remote.fetch.attempt;
