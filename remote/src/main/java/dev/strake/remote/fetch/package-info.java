/**
 * The fetcher: it fetches what documents of the schema {@code razee/RemoteResource/v1alpha2} name, and publishes it as
 * changes of their workspaces. Knows the pipeline by its topics alone.
 */
package dev.strake.remote.fetch;
