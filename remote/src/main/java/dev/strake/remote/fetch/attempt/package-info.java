/** One attempt to fetch a resource: content, decision, change, memory and status. */
package dev.strake.remote.fetch.attempt;
