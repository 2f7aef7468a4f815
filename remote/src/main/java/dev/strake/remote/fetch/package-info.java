/**
 * The fetcher: fetches the content that documents {@code razee/RemoteResource/v1alpha2} name, and publishes it as
 * changes of their workspaces. Depends on the topics of the pipeline only.
 */
package dev.strake.remote.fetch;
