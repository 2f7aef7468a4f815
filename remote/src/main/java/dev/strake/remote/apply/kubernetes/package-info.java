/**
 * Brings a Kubernetes cluster to the rendered documents of a workspace. What is to be done with an object is decided by
 * {@link dev.strake.remote.apply.patch.Applying}; here it is read, and the requests are sent.
 */
package dev.strake.remote.apply.kubernetes;
