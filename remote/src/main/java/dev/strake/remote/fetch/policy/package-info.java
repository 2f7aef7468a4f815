/** Where a fetcher may go: addresses, hosts, networks and folders, and what it says when something is refused or fails. */
package dev.strake.remote.fetch.policy;
