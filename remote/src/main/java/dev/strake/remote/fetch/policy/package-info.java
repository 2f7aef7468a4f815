/** The places that a fetcher may access: addresses, hosts, networks and folders, and the errors if it may not. */
package dev.strake.remote.fetch.policy;
