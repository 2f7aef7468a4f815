/** The content of a RemoteResource, and the values that it takes from other documents of its workspace. */
package dev.strake.remote.fetch.resource;
