/** What a RemoteResource says, and what it takes from other documents of its workspace. */
package dev.strake.remote.fetch.resource;
