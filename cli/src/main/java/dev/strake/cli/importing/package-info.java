/** What people have, Kubernetes objects, Kustomize and values of Helm, as documents with layers. */
package dev.strake.cli.importing;
