/**
 * What an applier makes of an object in a cluster: the modes of Razee's RemoteResource, and the patches of Kubernetes that
 * they send, as pure functions of trees. The caller reads the object and sends the request.
 *
 * <p>RFC 7386 defines {@link dev.strake.remote.apply.patch.MergePatch}, kubectl 1.32 {@link
 * dev.strake.remote.apply.patch.StrategicMergePatch}, and the documentation of razeedeploy-core the {@linkplain
 * dev.strake.remote.apply.patch.ApplyMode modes}. Deliberate differences are in {@code docs/razee-compatibility.md}.
 */
package dev.strake.remote.apply.patch;
