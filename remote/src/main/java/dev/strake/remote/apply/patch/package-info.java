/**
 * Decides how an applier changes an object in a cluster: the modes of Razee's RemoteResource and the patches of
 * Kubernetes, as pure functions of trees. The caller reads the object and sends the request.
 *
 * <p>The specifications are RFC 7386 for {@link dev.strake.remote.apply.patch.MergePatch}, kubectl 1.32 for {@link
 * dev.strake.remote.apply.patch.StrategicMergePatch}, and the documentation of razeedeploy-core for the {@linkplain
 * dev.strake.remote.apply.patch.ApplyMode modes}. {@code docs/razee-compatibility.md} lists deliberate differences.
 */
package dev.strake.remote.apply.patch;
