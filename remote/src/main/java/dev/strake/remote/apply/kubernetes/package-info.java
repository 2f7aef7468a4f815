/**
 * Applies the rendered documents of a workspace to a Kubernetes cluster. {@link dev.strake.remote.apply.patch.Applying}
 * decides what to do with an object; this package reads the object and sends the requests.
 */
package dev.strake.remote.apply.kubernetes;
