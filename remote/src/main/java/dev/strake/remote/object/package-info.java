/** Kubernetes objects: their identity, the metadata that controls an applier, and their conversion to documents. */
package dev.strake.remote.object;
